import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Button, ButtonLink } from '../parts/button/button.tsx';
import { Empty } from '../parts/page/states.tsx';
import { useSession } from '../session/session.tsx';
import type { BoardFilter } from './board.ts';
import { texts } from './texts.ts';

/** The content of an empty column. When no column has a card, it says what fills the board. */
export function NoCards({ filter }: { filter: BoardFilter }) {
  const { can } = useSession();
  const { change } = useAddress();
  const { data: isBoardEmpty } = useQuery({
    queryKey: ['contact', 'board', 'any', filter],
    queryFn: async ({ signal }) => {
      const query = { ...filter, limit: 1 };
      return (await api.GET('/contacts', { params: { query }, signal })).data.data.length === 0;
    },
  });
  if (isBoardEmpty !== true) return <p className="column-empty">{texts.empty}</p>;
  if (Object.keys(filter).length > 0)
    return (
      <Empty
        action={
          <Button onClick={() => change({ project: null, assignedTo: null, tag: null })}>
            {texts.clearFilters}
          </Button>
        }
      >
        {texts.emptyByFilter}
      </Empty>
    );
  return (
    <Empty
      action={can('contacts:manage') && <ButtonLink to="/import">{texts.importFile}</ButtonLink>}
    >
      {texts.emptyBoard}
    </Empty>
  );
}
