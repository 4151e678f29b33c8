import type { Contact } from '../api.ts';
import { nameContact } from '../parts/domain/contact-name.ts';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { showToast } from '../parts/message/toast.tsx';
import { texts } from './texts.ts';

/** Says in a toast why a change of a contact failed. It names the contact, because the person may be at the next one by now. */
export function sayProblem(contact: Contact, error: unknown): void {
  showToast({ text: texts.notDone(nameContact(contact), describeProblem(error)), look: 'error' });
}
