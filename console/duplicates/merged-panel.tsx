import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, type Contact, type ImportRecord } from '../api.ts';
import { Button, ButtonLink } from '../parts/button/button.tsx';
import { nameContact } from '../parts/domain/contact-name.ts';
import { showToast } from '../parts/message/toast.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { texts } from './texts.ts';

interface MergedPanelProps {
  contact: Contact;
  leads: readonly ImportRecord[];
  onNext: (() => void) | undefined;
}

/** Shows the result of a merge, and offers to retry the leads that were refused because of the duplicates. */
export function MergedPanel({ contact, leads, onNext }: MergedPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState(leads);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => heading.current?.focus(), []);

  async function retry(): Promise<void> {
    setBusy(true);
    try {
      const { data } = await api.POST('/imports/retry', {
        body: { ids: waiting.map(({ id }) => id) },
      });
      const { created, merged, refused } = data.summary;
      showToast({ text: texts.retried(created + merged, refused) });
      setWaiting([]);
      heading.current?.focus();
      for (const noun of ['import', 'contact', 'activity'])
        void queries.invalidateQueries({ queryKey: [noun] });
    } catch (error) {
      showToast({ text: describeProblem(error), look: 'error' });
    }
    setBusy(false);
  }

  return (
    <section className="card" aria-labelledby="merged-title">
      <h2 id="merged-title" ref={heading} tabIndex={-1}>
        {texts.mergedTitle(nameContact(contact))}
      </h2>
      {waiting.length > 0 && (
        <div className="merged-retry">
          <span>{texts.retriable(waiting.length)}</span>
          <Button look="filled" isBusy={isBusy} onClick={() => void retry()}>
            {texts.retry}
          </Button>
        </div>
      )}
      <div className="merged-retry">
        <ButtonLink to={`/contacts/${contact.id}`}>{texts.openMerged}</ButtonLink>
        {onNext !== undefined && <Button onClick={onNext}>{texts.next}</Button>}
      </div>
    </section>
  );
}
