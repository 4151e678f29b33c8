import type { Contact } from '../api.ts';
import type { ContactFieldName } from '../parts/domain/contact-texts.ts';
import { STAGES } from '../parts/domain/status.tsx';

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

/** The stages from the least to the furthest on. A contact without a stage comes first. */
const PROGRESS = [null, 'Nurture', ...STAGES];
const rankStage = ({ stage }: Contact): number => PROGRESS.indexOf(stage ?? null);

/**
 * Proposes which contact remains. It sorts them by these rules and takes the first: not lost, not archived, the furthest stage, the
 * latest activity, the most filled fields, the oldest.
 */
export function proposeKept(contacts: readonly Contact[]): Contact | undefined {
  return contacts.toSorted(
    (a, b) =>
      Number(a.stage === 'Lost') - Number(b.stage === 'Lost') ||
      Number(a.archivedAt != null) - Number(b.archivedAt != null) ||
      rankStage(b) - rankStage(a) ||
      compareTimes(b.lastActivityAt, a.lastActivityAt) ||
      countFilled(b) - countFilled(a) ||
      compareTimes(a.createdAt, b.createdAt),
  )[0];
}

const EARLIEST = '1970-01-01';
const compareTimes = (a: string | null | undefined, b: string | null | undefined): number =>
  Date.parse(a ?? EARLIEST) - Date.parse(b ?? EARLIEST);

/** For a field, the id of the contact whose value the person wants. */
export type TakeFrom = Partial<Record<ComparedField, string>>;
