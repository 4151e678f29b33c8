import { api } from '../../api.ts';
import { toAuthor, type Conflict } from '../edit/conflict.ts';

/** Finds who changed one of these fields of a contact last. Import this file only then: most pages see no conflict. */
export async function findLastContactChange(
  contactId: string,
  fields: readonly string[],
): Promise<Conflict['by']> {
  const query = { field: fields.join(','), limit: 1 };
  const params = { path: { contactId }, query };
  return toAuthor((await api.GET('/contacts/{contactId}/changes', { params })).data.data[0]);
}
