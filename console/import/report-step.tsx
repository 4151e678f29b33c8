import { useQuery } from '@tanstack/react-query';
import { api, type ContactFile } from '../api.ts';
import { ButtonLink } from '../parts/button/button.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { ProgressBar } from '../parts/page/progress-bar.tsx';
import { Chosen } from './chosen.tsx';
import { countDeleted, Counts } from './counts.tsx';
import { NewContactsLink } from './new-contacts-link.tsx';
import { Reasons, Remarks } from './reasons.tsx';
import { ReportLink } from './report-link.tsx';
import { texts } from './texts.ts';
import { UndoImport } from './undo-import.tsx';

/** The last step: what the import did, links to its refused rows, and the button that undoes it. */
export function ReportStep({ file }: { file: ContactFile }) {
  const { id, run, status, undo } = file;
  const { data: openCount } = useQuery({
    queryKey: ['import', 'open-count', id],
    queryFn: () => countOpen(id),
    enabled: run !== null && run.refused > 0,
  });
  if (run === null) return null;
  const deleted = countDeleted(run);
  const log = `/imports?file=${id}`;
  return (
    <section className="import-part">
      <h2 tabIndex={-1}>{texts.report.title}</h2>
      <p className="hidden-text" role="status">
        {status === 'completed' && texts.report.done}
      </p>
      {status === 'undoing' && <ProgressBar label={texts.undo.action} text={texts.undo.undoing} />}
      {undo !== null && (
        <Notice>
          {texts.undo.done(undo.removed)} {texts.undo.kept(undo.kept)}
        </Notice>
      )}
      <Counts
        counts={[
          [run.created, texts.report.created],
          [run.merged, texts.report.merged],
          [run.refused, texts.report.refused],
        ]}
      />
      <Chosen run={run} />
      {deleted > 0 && <p>{texts.report.deleted(deleted)}</p>}
      {status === 'completed' && run.refused === 0 && <p>{texts.report.all}</p>}
      {run.refused > 0 && (
        <>
          <Reasons run={run} title={texts.report.reasons} />
          <p className="soft">{texts.report.csvAbout}</p>
        </>
      )}
      <Remarks run={run} title={texts.report.remarks} />
      <div className="import-buttons">
        {status === 'completed' && run.created > 0 && (
          <>
            <UndoImport file={file} />
            <NewContactsLink id={id} run={run} />
          </>
        )}
        {run.refused > 0 && <ReportLink fileId={id} />}
        {status === 'completed' && openCount !== undefined && openCount > 0 && (
          <ButtonLink to={log} look="filled">
            {texts.report.fix(openCount)}
          </ButtonLink>
        )}
      </div>
    </section>
  );
}

async function countOpen(id: string): Promise<number> {
  const query = { file: id, open: true, count: true, limit: 1 };
  const { data } = await api.GET('/imports', { params: { query } });
  return data.pagination.totalCount ?? 0;
}
