import { useQueryClient } from '@tanstack/react-query';
import { api, ifMatch, type Contact } from '../api.ts';
import { nameContact } from '../parts/domain/contact-name.ts';
import { nameField } from '../parts/domain/contact-texts.ts';
import { useEdits } from '../parts/edit/edit.ts';
import { patchGridRows } from '../parts/grid/use-grid-pages.ts';
import { useSession } from '../session/session.tsx';
import { showValue, type ContactChange } from './fields.ts';
import { contactKey, usePeopleNames } from './queries.ts';
import { texts } from './texts.ts';

/** Saves a change; `seen` is the contact as it was when the person began to edit. Throws a refusal. */
export type SaveContact = (change: ContactChange, seen: Contact) => Promise<void>;

/** Returns a function that edits fields of a contact. The page shows the change at once; the request has the version that the person saw. */
export function useContactEdits(contact: Contact): SaveContact {
  const { id } = contact;
  const queries = useQueryClient();
  const { me, userId } = useSession();
  const nameOf = usePeopleNames();
  const namePerson = (id: unknown): string =>
    id == null ? texts.nobody : (nameOf(id) ?? texts.unknownPerson);
  const show = (field: string, value: unknown): string =>
    field === 'assignedAccountUserId' ? namePerson(value) : showValue(field, value);

  return useEdits<Contact, ContactChange>({
    queryKey: contactKey(id),
    send: async (change, etag) => {
      const { data } = await api.PATCH('/contacts/{contactId}', {
        params: { path: { contactId: id }, header: ifMatch(etag) },
        body: change,
      });
      void queries.invalidateQueries({ queryKey: ['contact', 'changes', id] });
      return { ...data, provenance: addProvenance(queries.getQueryData(contactKey(id)), change) };
    },
    subject: nameContact(contact),
    explain: (change, current) =>
      Object.entries(change).map(([field, mine]) => ({
        label: nameField(field),
        theirs: show(field, current[field as keyof Contact]),
        mine: show(field, mine),
      })),
    onChange: (contact) =>
      patchGridRows<Contact>(queries, 'contact', (row) =>
        row.id === id ? { ...row, ...contact } : row,
      ),
    findLastChange: async (change) => {
      const { findLastContactChange } = await import('../parts/domain/last-change.ts');
      return findLastContactChange(id, Object.keys(change));
    },
  });

  /** Adds the provenance of the changed fields, which the answer lacks: the signed-in person, now. */
  function addProvenance(before: Contact | undefined, change: ContactChange) {
    const actor = { type: 'user' as const, id: userId, name: me.user?.name ?? '' };
    const at = new Date().toISOString();
    const fresh = Object.keys(change).map((field) => [field, { at, actor }]);
    return { ...before?.provenance, ...Object.fromEntries(fresh) };
  }
}
