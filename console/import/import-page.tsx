import { pageTitles } from '../frame/texts.ts';
import { Page } from '../parts/page/page.tsx';
import { FileDrop } from './file-drop.tsx';
import { PastFiles } from './past-files.tsx';
import './import.css';

/** The page that starts an import, and lists the earlier ones. */
export function ImportPage() {
  return (
    <Page title={pageTitles.import}>
      <div className="import-page">
        <FileDrop />
        <PastFiles />
      </div>
    </Page>
  );
}
