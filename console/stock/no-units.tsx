import { useAddress } from '../parts/browser/address.ts';
import { Button, ButtonLink } from '../parts/button/button.tsx';
import { Empty } from '../parts/page/states.tsx';
import type { UnitQuery } from './filter.ts';
import { texts } from './no-units-texts.ts';
import { texts as unitTexts } from './texts.ts';
import type { Rights } from './use-rights.ts';

/** Stands in the place of an empty list, and says what fills it. */
export default function NoUnits({
  filter,
  projectId,
  rights,
}: {
  filter: UnitQuery;
  /** The project of the page. */
  projectId?: string | undefined;
  rights: Rights;
}) {
  const { change } = useAddress();
  const own = Object.keys(filter).filter((name) => name !== 'project' || projectId === undefined);
  if (own.length > 0) {
    const clear = Object.fromEntries(own.map((name) => [name, null]));
    return (
      <Empty action={<Button onClick={() => change(clear)}>{unitTexts.clear}</Button>}>
        {texts.filtered}
      </Empty>
    );
  }
  if (rights !== 'all') return <Empty>{texts.emptyReadOnly}</Empty>;
  if (projectId !== undefined) return <Empty>{texts.emptyProject}</Empty>;
  return (
    <Empty action={<ButtonLink to="/stock/projects">{texts.goToProjects}</ButtonLink>}>
      {texts.empty}
    </Empty>
  );
}
