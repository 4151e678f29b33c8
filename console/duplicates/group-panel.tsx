import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Contact } from '../api.ts';
import { Card } from '../parts/page/card.tsx';
import { Button } from '../parts/button/button.tsx';
import { Help } from '../parts/popup/help.tsx';
import { nameField } from '../parts/domain/contact-texts.ts';
import { Notice } from '../parts/message/notice.tsx';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { Comparison } from './comparison.tsx';
import { proposeKept, type TakeFrom } from './differences.ts';
import { nameApart } from './name-apart.ts';
import { merge, useMergePreview, type DuplicateGroup } from './queries.ts';
import { useShowValue } from './show-value.ts';
import { texts } from './texts.ts';

const MERGE_MAX_COUNT = 51;

/** The contacts of one email side by side, with a preview of their merge and the button that merges them. */
export function GroupPanel({
  group,
  onMerged,
}: {
  group: DuplicateGroup;
  onMerged: (contact: Contact) => void;
}) {
  const contacts = group.contacts.slice(0, MERGE_MAX_COUNT);
  const [chosenId, setChosenId] = useState<string>();
  const [takeFrom, setTakeFrom] = useState<TakeFrom>({});
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const queries = useQueryClient();
  const show = useShowValue();
  // A change by somebody else must not put another contact into the proposal: a merge cannot be undone.
  const [proposedId] = useState(() => proposeKept(contacts)?.id);
  const find = (id: string | undefined) => contacts.find((each) => each.id === id);
  const kept = find(chosenId) ?? find(proposedId) ?? proposeKept(contacts);
  const duplicateIds = contacts.map(({ id }) => id).filter((id) => id !== kept?.id);
  // A contact from which a value was taken may have left the group.
  const present = Object.entries(takeFrom).filter(([, id]) => find(id) !== undefined);
  const body = { duplicateIds, takeFrom: Object.fromEntries(present) as TakeFrom };
  const {
    data: preview,
    error,
    refetch,
    isPlaceholderData,
  } = useMergePreview(kept?.id ?? '', body, { isMerging: isBusy });
  if (kept === undefined) return null;
  const nameOf = nameApart(contacts);

  async function mergeAll(keptId: string): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      const { contact } = await merge(keptId, body);
      onMerged(contact);
      for (const noun of ['duplicate', 'contact', 'activity', 'tag'])
        void queries.invalidateQueries({ queryKey: [noun] });
    } catch (refusal) {
      setProblem(refusal);
      setBusy(false);
    }
  }

  return (
    <Card title={texts.compare(group.email)}>
      <Comparison
        contacts={contacts}
        kept={kept}
        nameOf={nameOf}
        result={preview?.contact}
        takeFrom={body.takeFrom}
        onKeep={(id) => setChosenId(id)}
        onTake={(field, id) => setTakeFrom({ ...takeFrom, [field]: id })}
      />
      {error !== null && <LoadError error={error} onRetry={() => void refetch()} />}
      {preview === undefined && error === null && <Skeleton />}
      {preview !== undefined && (
        <>
          <section className="left-behind" aria-label={texts.leftBehind}>
            <h3>
              {texts.leftBehind} <Help word={texts.leftBehind}>{texts.leftBehindHelp}</Help>
            </h3>
            {preview.leftBehind.length === 0 && <p>{texts.leftBehindNone}</p>}
            <ul>
              {preview.leftBehind.map(({ contactId, field, value }) => (
                <li key={`${contactId} ${field}`}>
                  {texts.leftValue(nameField(field), show(field, value), nameOf(contactId))}
                </li>
              ))}
            </ul>
          </section>
          <p>
            {texts.moves(preview.moved.activities, preview.moved.tags, preview.moved.links)}
            {group.contacts.length > MERGE_MAX_COUNT && ` ${texts.tooMany(MERGE_MAX_COUNT)}`}
          </p>
          {problem !== undefined && <Notice look="error">{describeProblem(problem)}</Notice>}
          <div className="form-buttons merge-buttons">
            <span>{texts.cannotUndo}</span>
            <Button
              look="filled"
              isBusy={isBusy || isPlaceholderData}
              onClick={() => void mergeAll(kept.id)}
            >
              {isBusy ? texts.merging : texts.merge(contacts.length)}
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}
