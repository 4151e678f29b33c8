import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Button, ButtonLink } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { CopyButton } from '../parts/form/copy-button.tsx';
import { useTrigger } from '../parts/keyboard/focus.ts';
import { Notice } from '../parts/message/notice.tsx';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatTime } from '../parts/text/format.ts';
import { texts as shared } from '../parts/text/texts.ts';
import { describeOutcome } from './columns.tsx';
import {
  describeReason,
  isOpen,
  problemOf,
  useContactIsThere,
  useDetail,
  type ImportDetail,
} from './data.ts';
import { DismissForm } from './dismiss-form.tsx';
import { FixForm } from './fix-form.tsx';
import { Payload } from './payload.tsx';
import { RetryButton } from './retry-button.tsx';
import { texts } from './texts.ts';

/** The drawer of one import: its received payload, its outcome, and the ways to settle it. */
export function Drawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: record, error, refetch } = useDetail(id);
  const title = record === undefined ? shared.loading : texts.drawer.title(describeOutcome(record));
  return (
    <Dialog shape="side" title={title} onClose={onClose}>
      {record !== undefined && <Detail record={record} onClose={onClose} />}
      {record === undefined && error === null && <Skeleton lines={6} />}
      {record === undefined && error !== null && (
        <LoadError error={error} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
}

function Detail({ record, onClose }: { record: ImportDetail; onClose: () => void }) {
  const { payload, contactId, undoneAt } = record;
  const problem = problemOf(record);
  const isDuplicate = problem?.code === 'duplicate_contacts';
  return (
    <div className="log-detail">
      {problem !== null && (
        <section>
          <h3>{texts.drawer.problem}</h3>
          <p>{isDuplicate ? texts.drawer.duplicates : describeReason(record)}</p>
        </section>
      )}
      {isOpen(record) && <Actions record={record} isDuplicate={isDuplicate} onClose={onClose} />}
      <Settlement record={record} />
      {contactId != null && undoneAt === null && <ContactLink id={contactId} />}
      <section>
        <h3>{texts.drawer.payload}</h3>
        {payload == null ? <p>{texts.drawer.payloadGone}</p> : <Payload text={payload} />}
      </section>
      <Facts record={record} />
    </div>
  );
}

/** The link to the contact of a lead, or to the one that it was merged into; a text when it was erased, for example with an earlier file. */
function ContactLink({ id }: { id: string }) {
  const { data: isThere } = useContactIsThere(id);
  if (isThere === undefined) return null;
  return (
    <p>
      {isThere ? (
        <Link href={`/contacts/${id}`}>{texts.drawer.contact}</Link>
      ) : (
        texts.drawer.contactGone
      )}
    </p>
  );
}

/** The buttons that settle a refused import. */
function Actions({
  record,
  isDuplicate,
  onClose,
}: {
  record: ImportDetail;
  isDuplicate: boolean;
  onClose: () => void;
}) {
  const [action, setAction] = useState<'fix' | 'dismiss'>();
  const fix = useTrigger(action === 'fix');
  const dismiss = useTrigger(action === 'dismiss');
  if (action === 'fix')
    return <FixForm record={record} onCancel={() => setAction(undefined)} onDone={onClose} />;
  if (action === 'dismiss')
    return <DismissForm id={record.id} onCancel={() => setAction(undefined)} onDone={onClose} />;
  return (
    <div className="log-actions">
      {isDuplicate ? (
        <ButtonLink to={duplicatesOf(record)} look="filled">
          {texts.action.merge}
        </ButtonLink>
      ) : (
        <Button look="filled" ref={fix} onClick={() => setAction('fix')}>
          {texts.action.fix}
        </Button>
      )}
      {record.payload != null && <RetryButton id={record.id} onDone={onClose} />}
      <Button ref={dismiss} onClick={() => setAction('dismiss')}>
        {texts.action.dismiss}
      </Button>
    </div>
  );
}

/** Makes the address of the duplicates with the email of a lead. */
function duplicatesOf({ lead }: ImportDetail): string {
  const { email } = (lead ?? {}) as { email?: unknown };
  if (typeof email !== 'string') return '/duplicates';
  return `/duplicates?email=${encodeURIComponent(email.trim().toLowerCase())}`;
}

function Settlement({ record: { settlement, settledAt, dismissal } }: { record: ImportDetail }) {
  if (settlement === null || settledAt == null) return null;
  const how = texts.settlements[settlement] ?? settlement;
  return (
    <Notice>
      {texts.drawer.settled(how, formatTime(settledAt), dismissal?.actor.name)}
      {dismissal?.reason && <p>{dismissal.reason}</p>}
    </Notice>
  );
}

function Facts({ record }: { record: ImportDetail }) {
  const { receivedAt, channel, actor, fileId, row, position, requestId, ignoredFields } = record;
  return (
    <dl className="log-facts">
      <Fact name={texts.drawer.received}>{formatTime(receivedAt)}</Fact>
      <Fact name={texts.drawer.channel}>{texts.channels[channel] ?? channel}</Fact>
      <Fact name={texts.drawer.who}>{actor.name}</Fact>
      {fileId != null && (
        <Fact name={texts.drawer.file}>
          {row != null && `${texts.row(row)}. `}
          {actor.type !== 'system' && (
            <Link href={`/import/${fileId}`}>{texts.drawer.openFile}</Link>
          )}
        </Fact>
      )}
      {position != null && <Fact name={texts.drawer.position}>{position + 1}</Fact>}
      {ignoredFields.length > 0 && (
        <Fact name={texts.drawer.ignored}>{ignoredFields.join(', ')}</Fact>
      )}
      {requestId != null && (
        <Fact name={texts.drawer.request}>
          {requestId} <CopyButton text={requestId} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
