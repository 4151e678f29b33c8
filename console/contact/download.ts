import { api, type Contact } from '../api.ts';

/** Downloads all data of a person as a file. When the service demands a confirmation, a dialog first asks for the password. */
export async function downloadPerson(contact: Contact): Promise<void> {
  const { data } = await api.GET('/contacts/{contactId}/data', {
    params: { path: { contactId: contact.id } },
    parseAs: 'blob',
  });
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = `${contact.email}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
