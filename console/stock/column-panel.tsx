import ColumnChooser from '../parts/grid/column-chooser.tsx';
import { COLUMNS_KEY, PROJECT_COLUMNS_KEY } from './columns-button.tsx';
import { makeColumns } from './columns.tsx';

/** The chooser shows the titles of the columns only, so nothing is edited in them. */
const OPTIONS = {
  rights: 'none',
  changeUnit: () => undefined,
  unsaved: {
    find: () => undefined,
    add: () => undefined,
    settle: () => undefined,
    forget: () => undefined,
    forgetStored: () => undefined,
  },
} as const;
const COLUMNS = makeColumns({ ...OPTIONS, projectName: () => '' });
const PROJECT_COLUMNS = makeColumns({ ...OPTIONS, projectName: null });

/** The column chooser of the units. */
export default function ColumnPanel({ isOfProject }: { isOfProject: boolean }) {
  return (
    <div className="units-columns-panel">
      <ColumnChooser
        columns={isOfProject ? PROJECT_COLUMNS : COLUMNS}
        columnsKey={isOfProject ? PROJECT_COLUMNS_KEY : COLUMNS_KEY}
      />
    </div>
  );
}
