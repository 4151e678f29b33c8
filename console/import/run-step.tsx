import type { ContactFile } from '../api.ts';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { Chosen } from './chosen.tsx';
import { Counts } from './counts.tsx';
import { action, useShownFile } from './files.ts';
import { ReportLink } from './report-link.tsx';
import { RunProgress } from './run-progress.tsx';
import { texts } from './texts.ts';
import { UndoImport } from './undo-import.tsx';

/** The step of a run: its progress and Stop. After a stop, it offers to continue or to undo; after a failed undo, to undo again. */
export function RunStep({ file }: { file: ContactFile }) {
  const showFile = useShownFile();
  const { id, rows, run, status, undo } = file;
  const isOver = status === 'stopped' || status === 'failed';
  if (run === null) return null;
  return (
    <section className="import-part">
      <h2 tabIndex={-1}>{texts.run.title}</h2>
      {isOver ? (
        <Notice look={status === 'failed' ? 'error' : 'warning'}>
          {undo !== null && texts.undo.failed(undo.removed)}
          {undo === null && (status === 'failed' ? texts.run.failed : texts.run.stopped)}
          {undo === null && <p>{texts.run.progress(run.rowsRead, rows)}</p>}
        </Notice>
      ) : (
        <>
          <RunProgress label={texts.run.title} file={file} />
          <p className="soft">{texts.run.away}</p>
        </>
      )}
      <Counts
        counts={[
          [run.created, texts.report.created],
          [run.merged, texts.report.merged],
          [run.refused, texts.report.refused],
        ]}
      />
      <Chosen run={run} />
      <div className="import-buttons">
        {isOver && <UndoImport file={file} />}
        {isOver && run.refused > 0 && <ReportLink fileId={id} />}
        {undo === null && (
          <Form onSubmit={async () => showFile(await action(isOver ? 'continue' : 'stop', id))}>
            <FormButtons action={isOver ? texts.run.goOn : texts.run.stop} />
          </Form>
        )}
      </div>
    </section>
  );
}
