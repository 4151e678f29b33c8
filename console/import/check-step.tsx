import { api, type ContactFile } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { Help } from '../parts/popup/help.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { countDeleted, Counts } from './counts.tsx';
import { action, isBusy, useShownFile } from './files.ts';
import type { StartBody } from './plan.ts';
import { Reasons, Remarks } from './reasons.tsx';
import { ReportLink } from './report-link.tsx';
import { RunProgress } from './run-progress.tsx';
import { texts } from './texts.ts';

/** The step of the dry run: its progress, then what the import would do, and the button that starts the import. */
export function CheckStep({
  file,
  start,
  onBack,
}: {
  file: ContactFile;
  start: StartBody;
  onBack: () => void;
}) {
  const showFile = useShownFile();
  const { run } = file;
  if (run === null) return null;

  async function startImport(): Promise<void> {
    const { data } = await api.POST('/contact-files/{fileId}/start', {
      params: { path: { fileId: file.id } },
      body: start,
    });
    showFile(data);
  }

  async function stop(): Promise<void> {
    try {
      showFile(await action('stop', file.id));
      onBack();
    } catch (error) {
      showToast({ text: describeProblem(error), look: 'error' });
    }
  }

  const isRunning = isBusy(file);
  const accepted = run.created + run.merged;
  const deleted = countDeleted(run);
  return (
    <Form onSubmit={startImport} label={texts.steps.check}>
      <section className="import-part">
        <div className="import-title">
          <h2 tabIndex={-1}>{texts.check.title}</h2>
          <Help word={texts.dryRun}>{texts.check.help}</Help>
        </div>
        <p className="hidden-text" role="status">
          {!isRunning && texts.check.done(run.rowsRead)}
        </p>
        {isRunning ? (
          <RunProgress label={texts.check.running} file={file} />
        ) : (
          <>
            <Counts
              counts={[
                [run.created, texts.check.created],
                [run.merged, texts.check.merged],
                [run.refused, texts.check.refused],
              ]}
            />
            {deleted > 0 && <p>{texts.check.deleted(deleted)}</p>}
            {run.refused > 0 && <Reasons run={run} title={texts.check.reasons} />}
            <Remarks run={run} title={texts.check.remarks} />
            {accepted === 0 && (
              <Notice look="warning">
                {run.refused === 0 ? texts.check.noRows : texts.check.nothing}
              </Notice>
            )}
            {accepted > 0 && run.refused > 0 && <p className="soft">{texts.check.refusedLater}</p>}
          </>
        )}
      </section>
      <div className="import-buttons">
        {isRunning ? (
          <Button onClick={() => void stop()}>{texts.run.stop}</Button>
        ) : (
          <Button onClick={onBack}>{texts.back}</Button>
        )}
        {!isRunning && run.refused > 0 && <ReportLink fileId={file.id} />}
        {!isRunning && accepted > 0 && (
          <FormButtons action={texts.check.start(run.rowsRead - deleted)} />
        )}
      </div>
    </Form>
  );
}
