import { lazyPart } from '../parts/lazy-part.tsx';
import { Popup } from '../parts/popup.tsx';
import { makeColumns } from './columns.tsx';
import { NO_UNSAVED_CHANGES } from './use-unsaved-changes.ts';
import { texts } from './view-texts.ts';

const ColumnChooser = lazyPart(() => import('../parts/grid/column-chooser.tsx'));

/** The keys under which the browser stores the columns of the list of all units, and of that of a project. */
export const COLUMNS_KEY = 'units';
export const PROJECT_COLUMNS_KEY = 'units-of-project';

const OPTIONS = {
  rights: 'none',
  changeUnit: () => undefined,
  unsaved: NO_UNSAVED_CHANGES,
} as const;
const COLUMNS = makeColumns({ ...OPTIONS, projectName: () => '' });
const PROJECT_COLUMNS = makeColumns({ ...OPTIONS, projectName: null });

/** The button that opens the column chooser of the units. */
export function ColumnsButton({ isOfProject }: { isOfProject: boolean }) {
  return (
    <Popup className="button button-plain" title={texts.columns} button={texts.columns}>
      {() => (
        <div className="units-columns-panel">
          <ColumnChooser
            columns={isOfProject ? PROJECT_COLUMNS : COLUMNS}
            columnsKey={isOfProject ? PROJECT_COLUMNS_KEY : COLUMNS_KEY}
          />
        </div>
      )}
    </Popup>
  );
}
