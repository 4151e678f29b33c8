import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api, ifMatch, ProblemError, type Contact } from '../api.ts';
import { tabStorage } from '../parts/browser/tab-storage.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { contactKey } from './queries.ts';
import { texts } from './texts.ts';

/** Asks for the person's email before it erases them for good, and says which data stay. */
export function EraseDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();

  async function erase(values: FormData): Promise<void> {
    const typed = readText(values, 'email')?.toLowerCase();
    if (typed !== contact.email.toLowerCase()) return setError(texts.eraseTypeError);
    setError(undefined);
    try {
      await api.DELETE('/contacts/{contactId}', {
        params: { path: { contactId: contact.id }, header: ifMatch(contact.etag) },
      });
    } catch (problem) {
      if (!(problem instanceof ProblemError) || problem.code !== 'precondition_failed')
        throw problem;
      void queries.invalidateQueries({ queryKey: contactKey(contact.id) });
      return setError(texts.eraseChanged);
    }
    // Drafts about the contact may contain personal data, so delete them as well.
    tabStorage.removeAll((name) => name.includes(contact.id));
    navigate('/contacts', { replace: true });
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(contact.id) });
    void queries.invalidateQueries({ queryKey: ['contact'] });
    showToast({ text: texts.erased });
  }

  return (
    <Dialog title={texts.eraseTitle} onClose={onClose}>
      <p>{texts.eraseGoes}</p>
      <p>{texts.eraseStays}</p>
      <Form onSubmit={erase}>
        <Field
          label={texts.eraseType(contact.email)}
          name="email"
          required
          error={error}
          autoFocus
        />
        <FormButtons action={texts.erase} look="danger" onCancel={onClose} cancel={texts.cancel} />
      </Form>
    </Dialog>
  );
}
