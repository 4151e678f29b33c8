import { api, ifMatch, type Contact } from '../api.ts';
import { nameContact } from '../parts/domain/contact-name.ts';
import { askAboutConflict } from '../parts/edit/conflict.ts';
import { readCurrent } from '../parts/edit/edit.ts';
import { showToast } from '../parts/message/toast.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { useColumns, type BoardFilter } from './board.ts';
import { texts } from './texts.ts';

/**
 * Returns the function that moves a contact to another stage. The card moves at once, and returns when the service refuses. A
 * toast offers to undo the move.
 */
export function useMove(filter: BoardFilter) {
  const columns = useColumns(filter);

  async function move(contact: Contact, to: string, { isUndo = false } = {}): Promise<void> {
    const from = contact.stage ?? '';
    const name = nameContact(contact);
    const stop = await columns.moveEarly(contact, from, to);
    try {
      const saved = await sendStage(contact.id, to, contact.etag).finally(stop);
      const { links: _links, ...moved } = saved;
      const card = { ...contact, ...moved };
      columns.replace(to, card);
      if (isUndo) showToast({ text: texts.movedBack(name, to) });
      else
        showToast({
          text: texts.moved(name, to),
          onUndo: () => void move(card, from, { isUndo: true }),
        });
    } catch (error) {
      columns.move(contact, to, from);
      // This save has cancelled the refetch that a change of somebody else caused, and the contact may be gone.
      columns.refetch();
      const current = readCurrent<Contact>(error);
      if (current === undefined)
        return void showToast({ text: describeProblem(error), look: 'error' });
      const isStageSeen = current.stage === contact.stage;
      await settle({ ...contact, ...current }, to, { isStageSeen, isUndo });
    }
  }

  /** Continues after a 412: when somebody else changed the stage to another one, the person chooses which to keep. */
  async function settle(
    current: Contact,
    to: string,
    { isStageSeen, isUndo }: { isStageSeen: boolean; isUndo: boolean },
  ): Promise<void> {
    if (current.stage === to) return;
    const fields = [{ label: texts.stage, theirs: current.stage ?? '', mine: to }];
    const ask = async () => {
      const { findLastContactChange } = await import('../parts/domain/last-change.ts');
      const by = await findLastContactChange(current.id, ['stage']).catch(() => undefined);
      return askAboutConflict({ fields, by, isUndo });
    };
    if (isStageSeen || (await ask()) === 'mine') await move(current, to, { isUndo });
  }

  return move;
}

async function sendStage(contactId: string, stage: string, etag: string): Promise<Contact> {
  const { data } = await api.PATCH('/contacts/{contactId}', {
    params: { path: { contactId }, header: ifMatch(etag) },
    body: { stage: stage as NonNullable<Contact['stage']> },
  });
  return data;
}
