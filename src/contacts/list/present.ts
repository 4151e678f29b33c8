import { formatEtag } from '../../platform/http/index.ts';
import { readIdTime } from '../../platform/text/index.ts';
import { ContactFields, type Link } from '../schemas.ts';
import type { ReadContact } from './store.ts';

type FieldName = keyof typeof ContactFields;
/** The fields of a presented contact whose types other code needs. */
type NameOrPhone = 'name' | 'firstName' | 'lastName' | 'phone' | 'mobilePhone';
const OWN_FIELDS = (Object.keys(ContactFields) as FieldName[]).filter(
  (field) => !['createdAt', 'importedAt', 'archivedAt'].includes(field),
);

/** Presents a contact as the API shows it: an empty field is null. */
export function presentContact(contact: ReadContact) {
  const entries = OWN_FIELDS.map((field) => [field, contact[field]]);
  const fields = Object.fromEntries(entries) as Pick<ReadContact, NameOrPhone>;
  return {
    id: contact.id,
    email: contact.email,
    ...fields,
    tags: contact.tags,
    ...(contact.links !== null && { links: contact.links.map(presentLink) }),
    importedAt: contact.importedAt?.toISOString() ?? null,
    createdAt: contact.createdAt.toISOString(),
    updatedAt: contact.updatedAt.toISOString(),
    archivedAt: contact.archivedAt?.toISOString() ?? null,
    lastActivityAt: contact.lastActivityAt.toISOString(),
    etag: formatEtag(contact.version),
  };
}

/** Presents a link. Its id contains the time at which it was made. */
export function presentLink({ id, projectId, unitId }: Link & { id: string }) {
  return { id, projectId, unitId, createdAt: (readIdTime(id) ?? new Date(0)).toISOString() };
}
