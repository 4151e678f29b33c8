import type { Contact } from '../api.ts';
import type { ContactFieldName } from '../parts/contact-texts.ts';

/** The fields that the page compares, in its order. */
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

/** Returns whether contacts have different values in a field. Empty fields are ignored. */
export function isDifferent(contacts: readonly Contact[], field: ComparedField): boolean {
  const values = contacts.map((contact) => fold(contact[field])).filter((value) => value !== '');
  return new Set(values).size > 1;
}

/** Returns whether a person should look at a field: the values differ, or only some of the contacts have one. */
export function isUneven(contacts: readonly Contact[], field: ComparedField): boolean {
  return new Set(contacts.map((contact) => fold(contact[field]))).size > 1;
}

const countFilled = (contact: Contact): number =>
  COMPARED.filter((field) => fold(contact[field]) !== '').length;

/** Proposes which contact remains: an active one before an archived one, then the most filled fields, then the oldest. */
export function proposeKept(contacts: readonly Contact[]): Contact | undefined {
  return contacts
    .toSorted((a, b) => countFilled(b) - countFilled(a) || (a.createdAt < b.createdAt ? -1 : 1))
    .toSorted((a, b) => Number(a.archivedAt != null) - Number(b.archivedAt != null))[0];
}
