import { useState } from 'react';
import type { Change, Contact } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { nameField } from '../parts/domain/contact-texts.ts';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatDay, formatTime } from '../parts/text/format.ts';
import { showValue } from './fields.ts';
import { useChanges, usePeopleNames } from './queries.ts';
import { texts } from './texts.ts';
import './provenance.css';

/** A button that names the author and the day of a value. It opens the history of the field. */
export function Provenance({ contact, field }: { contact: Contact; field: string }) {
  const [isOpen, setOpen] = useState(false);
  const source = contact.provenance?.[field];
  if (source === undefined) return null;
  return (
    <>
      <button type="button" className="provenance" onClick={() => setOpen(true)}>
        {texts.provenance(source.actor.name, formatDay(source.at))}
        <span className="hidden-text">. {texts.history(nameField(field))}</span>
      </button>
      {isOpen && <HistoryDialog id={contact.id} field={field} onClose={() => setOpen(false)} />}
    </>
  );
}

function HistoryDialog({ id, field, onClose }: { id: string; field: string; onClose: () => void }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useChanges(
    id,
    field,
  );
  const nameOf = usePeopleNames();
  const changes = data?.pages.flatMap((page) => page.data);
  const show = (value: unknown): string =>
    (field === 'assignedAccountUserId' ? nameOf(value) : showValue(field, value)) || texts.empty;
  return (
    <Dialog title={texts.history(nameField(field))} onClose={onClose}>
      {error !== null && <LoadError error={error} onRetry={() => void refetch()} />}
      {changes === undefined && error === null && <Skeleton />}
      {changes?.length === 0 && <p>{texts.historyEmpty}</p>}
      <ol className="history">
        {changes?.map((change) => (
          <li key={change.id}>
            <p>{describe(change, show)}</p>
            <p className="history-source">
              {change.actor.name}, {formatTime(change.at)}
            </p>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.loadMore}
        </Button>
      )}
    </Dialog>
  );
}

const describe = ({ before, after }: Change, show: (value: unknown) => string): string =>
  before == null ? show(after) : texts.historyBecame(show(before), show(after));
