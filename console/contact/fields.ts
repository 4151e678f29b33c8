import type { Contact } from '../api.ts';
import type { ContactFieldName } from '../parts/contact-texts.ts';
import { formatMoney } from '../parts/format.ts';

/** A field that people edit. A choice is one of a few values, an area has lines. */
export interface EditableField {
  name: ContactFieldName & keyof Contact;
  kind: 'text' | 'email' | 'phone' | 'money' | 'choice' | 'area';
  choices?: readonly string[];
}

const SOURCES = ['Website', 'Referral', 'Social Media', 'Open Home', 'Agent', 'Other'];
const BUYER_TYPES = ['First Home Buyer', 'Investor', 'Downsizer', 'Upgrader', 'Other'];

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

/** The fields at the top, and those below "More details". A contact that has no whole name shows the parts of it at the top. */
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

/** A change of a contact, as PATCH takes it. */
export type ContactChange = Partial<Pick<Contact, EditableField['name']>>;

/** A value as the page shows it; empty when there is none. Dates and people are the caller's affair. */
export function showValue(field: string, value: unknown): string {
  if (value == null) return '';
  if (field === 'budget' && typeof value === 'number') return formatMoney(value);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A value as its editor has it: a budget without the signs of its currency. */
export function toTyped(contact: Contact, name: EditableField['name']): string {
  const value = contact[name];
  return typeof value === 'number' ? String(value) : showValue(name, value);
}

/** Reads what was typed for a field. An amount such as "$850,000" is a number, other budgets stay texts. */
export function readTyped({ kind }: EditableField, typed: string): string | number | null {
  const text = typed.trim();
  if (text === '') return null;
  const isAmount = kind === 'money' && /^\$?\s?[\d,]+(\.\d+)?$/.test(text);
  return isAmount ? Number(text.replace(/[$,\s]/g, '')) : text;
}
