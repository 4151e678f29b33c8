import type { Project } from '../api.ts';
import { UnitCount } from '../stock/unit-count.tsx';
import { UnitsView, useUnits } from '../stock/units-view.tsx';

/** The tab of a project's units. It works as the page of all units. */
export function Units({ project }: { project: Project }) {
  const units = useUnits(project.id);
  return (
    <div className="project-units">
      <p className="project-units-count" role="status">
        <UnitCount count={units.count} />
      </p>
      <UnitsView units={units} />
    </div>
  );
}
