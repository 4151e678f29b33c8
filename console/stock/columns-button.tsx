import { lazyPart } from '../parts/page/lazy-part.tsx';
import { Popup } from '../parts/popup/popup.tsx';
import { texts } from './view-texts.ts';

const ColumnPanel = lazyPart(() => import('./column-panel.tsx'));

/** The keys under which the browser stores the columns of the list of all units, and of that of a project. */
export const COLUMNS_KEY = 'units';
export const PROJECT_COLUMNS_KEY = 'units-of-project';

/** The button that opens the column chooser of the units. */
export function ColumnsButton({ isOfProject }: { isOfProject: boolean }) {
  return (
    <Popup className="button button-plain" title={texts.columns} button={texts.columns}>
      {() => <ColumnPanel isOfProject={isOfProject} />}
    </Popup>
  );
}
