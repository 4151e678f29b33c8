import type { Contact } from '../api.ts';
import { BUYER_TYPES, SOURCES } from '../parts/domain/contact-choices.ts';
import type { ContactFieldName } from '../parts/domain/contact-texts.ts';
import { formatMoney } from '../parts/text/format.ts';

/** A field that people edit. The kind `choice` offers a few values; `area` is a text of several lines. */
export interface EditableField {
  name: ContactFieldName & keyof Contact;
  kind: 'text' | 'email' | 'phone' | 'money' | 'choice' | 'area';
  choices?: readonly string[];
}

const MAIN_FIELDS: readonly EditableField[] = [
  { name: 'name', kind: 'text' },
  { name: 'email', kind: 'email' },
  { name: 'phone', kind: 'phone' },
  { name: 'mobilePhone', kind: 'phone' },
  { name: 'companyName', kind: 'text' },
  { name: 'buyerType', kind: 'choice', choices: BUYER_TYPES },
  { name: 'budget', kind: 'money' },
  { name: 'source', kind: 'choice', choices: SOURCES },
  { name: 'cityName', kind: 'text' },
];

const MORE_FIELDS: readonly EditableField[] = [
  { name: 'firstName', kind: 'text' },
  { name: 'lastName', kind: 'text' },
  { name: 'sourceExternalOriginalName', kind: 'text' },
  { name: 'referredBy', kind: 'text' },
  { name: 'addressLine1', kind: 'text' },
  { name: 'addressLine2', kind: 'text' },
  { name: 'suburbName', kind: 'text' },
  { name: 'regionName', kind: 'text' },
  { name: 'stateOrProvince', kind: 'text' },
  { name: 'postalCode', kind: 'text' },
  { name: 'country', kind: 'text' },
  { name: 'notes', kind: 'area' },
];

const PARTS: ReadonlySet<string> = new Set(['firstName', 'lastName']);

/** Splits the fields into those at the top and those below "More details". A contact without a full name shows first and last name at the top. */
export function arrangeFields({ name, firstName, lastName }: Contact) {
  if (name != null || (firstName == null && lastName == null))
    return { main: MAIN_FIELDS, more: MORE_FIELDS };
  const isPart = (field: EditableField): boolean => PARTS.has(field.name);
  const isWhole = (field: EditableField): boolean => field.name === 'name';
  return {
    main: [...MORE_FIELDS.filter(isPart), ...MAIN_FIELDS.filter((field) => !isWhole(field))],
    more: [...MAIN_FIELDS.filter(isWhole), ...MORE_FIELDS.filter((field) => !isPart(field))],
  };
}

/** The body of a PATCH of a contact. */
export type ContactChange = Partial<Pick<Contact, EditableField['name']>>;

/** Formats a value for the page; an empty text when there is none. The caller formats dates and people. */
export function showValue(field: string, value: unknown): string {
  if (value == null) return '';
  if (field === 'budget' && typeof value === 'number') return formatMoney(value);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Formats a value for its editor: a budget has no currency sign there. */
export function toTyped(contact: Partial<Contact>, name: EditableField['name']): string {
  const value = contact[name];
  return typeof value === 'number' ? String(value) : showValue(name, value);
}

/** A number with commas between its thousands. "1,4" and "850.000" can be read in two ways. */
const AMOUNT = /^\$?\s?(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$/;

/** Parses the typed text of a field. A budget such as "$850,000" becomes a number; any other budget stays a text. */
export function readTyped({ kind }: EditableField, typed: string): string | number | null {
  const text = typed.trim();
  // The service says of an empty email that a contact needs one: null would be refused as another type.
  if (text === '') return kind === 'email' ? '' : null;
  const isAmount = kind === 'money' && AMOUNT.test(text);
  return isAmount ? Number(text.replace(/[$,\s]/g, '')) : text;
}
