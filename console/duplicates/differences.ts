import type { Contact } from '../api.ts';
import type { ContactFieldName } from '../parts/contact-texts.ts';

/** The fields that two contacts may have different values of, in the order of the page. */
export const COMPARED = [
  'name',
  'firstName',
  'lastName',
  'phone',
  'mobilePhone',
  'companyName',
  'stage',
  'assignedAccountUserId',
  'buyerType',
  'budget',
  'source',
  'sourceExternalOriginalName',
  'referredBy',
  'addressLine1',
  'addressLine2',
  'suburbName',
  'cityName',
  'regionName',
  'stateOrProvince',
  'postalCode',
  'country',
  'notes',
] as const satisfies readonly (ContactFieldName & keyof Contact)[];

export type ComparedField = (typeof COMPARED)[number];

const fold = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';

/** Whether contacts have different values in a field. An empty field differs from none. */
export function isDifferent(contacts: readonly Contact[], field: ComparedField): boolean {
  const values = contacts.map((contact) => fold(contact[field])).filter((value) => value !== '');
  return new Set(values).size > 1;
}

/** Whether somebody has to look at a field: its values differ, or only some of the contacts have one. */
export function isUneven(contacts: readonly Contact[], field: ComparedField): boolean {
  return new Set(contacts.map((contact) => fold(contact[field]))).size > 1;
}

const countFilled = (contact: Contact): number =>
  COMPARED.filter((field) => fold(contact[field]) !== '').length;

/** The contact that knows most is kept, unless the person chooses another one; of equal ones the older. */
export function proposeKept(contacts: readonly Contact[]): Contact | undefined {
  return contacts
    .toSorted((a, b) => countFilled(b) - countFilled(a) || (a.createdAt < b.createdAt ? -1 : 1))
    .toSorted((a, b) => Number(a.archivedAt != null) - Number(b.archivedAt != null))[0];
}
