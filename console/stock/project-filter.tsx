import { useAddress } from '../parts/browser/address.ts';
import { useProjects } from '../parts/domain/names.ts';
import { FindChoice } from '../parts/form/find-choice.tsx';
import { texts } from './texts.ts';

/** The filter by a project. */
export default function ProjectFilter() {
  const { query, change } = useAddress();
  const projects = useProjects();
  return (
    <FindChoice
      className="control unit-tool"
      label={texts.project}
      value={query.get('project') ?? ''}
      options={[{ id: '', name: texts.allProjects }, ...projects]}
      onChange={(project) => change({ project })}
    />
  );
}
