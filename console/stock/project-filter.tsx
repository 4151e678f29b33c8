import { useAddress } from '../parts/browser/address.ts';
import { findName, useProjects } from '../parts/domain/names.ts';
import { FindChoice } from '../parts/form/find-choice.tsx';
import { texts } from './texts.ts';

/** The filter by a project. */
export default function ProjectFilter() {
  const { query, change } = useAddress();
  const projects = useProjects();
  const chosen = query.get('project') ?? '';
  const isOther = chosen !== '' && findName(projects, chosen, '') === '';
  return (
    <FindChoice
      className="control unit-tool"
      label={texts.project}
      value={chosen}
      options={[
        { id: '', name: texts.allProjects },
        ...(isOther ? [{ id: chosen, name: texts.project }] : []),
        ...projects,
      ]}
      onChange={(project) => change({ project })}
    />
  );
}
