import sql, { raw, type Sql } from 'sql-template-tag';
import type { Contact } from './schemas.ts';

/** The column of each field of a contact, and its type. The one place that pairs them. */
const COLUMNS: Record<keyof Contact | 'emailKey', [column: string, type: string]> = {
  id: ['id', 'uuid'],
  email: ['email', 'text'],
  emailKey: ['email_key', 'text'],
  name: ['name', 'text'],
  firstName: ['first_name', 'text'],
  lastName: ['last_name', 'text'],
  phone: ['phone_primary', 'text'],
  mobilePhone: ['phone_mobile', 'text'],
  companyName: ['company_name', 'text'],
  notes: ['notes', 'text'],
  stage: ['stage', 'text'],
  source: ['source', 'text'],
  sourceExternalOriginalName: ['source_external_original_name', 'text'],
  buyerType: ['buyer_type', 'text'],
  budget: ['budget', 'jsonb'],
  referredBy: ['referred_by', 'text'],
  addressLine1: ['address_line_1', 'text'],
  addressLine2: ['address_line_2', 'text'],
  cityName: ['city_name', 'text'],
  regionName: ['region_name', 'text'],
  suburbName: ['suburb_name', 'text'],
  postalCode: ['postal_code', 'text'],
  country: ['country', 'text'],
  stateOrProvince: ['state_or_province', 'text'],
  importedAt: ['imported_at', 'timestamptz(3)'],
  archivedAt: ['archived_at', 'timestamptz(3)'],
  assignedAccountUserId: ['assigned_account_user_id', 'uuid'],
};

/** The fields that are stored with a contact. */
export const CONTACT_FIELDS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

const all = Object.entries(COLUMNS);
const list = (each: (field: string, column: string, type: string) => string, entries = all): Sql =>
  raw(entries.map(([field, [column, type]]) => each(field, column, type)).join(', '));

/** `id, email, email_key, …`: what an insert names. */
export const contactColumns = list((_field, column) => column);

/** `c.id as "id", …`: a contact as a row with the fields' names; `c` is the table's alias. */
export const contactFields = list((field, column) => `c.${column} as "${field}"`);

/** `r."id", …`: the values of a record, in the order of the columns. */
export const recordFields = list((field) => `r."${field}"`);

// Notes may be long, and are sent beside the JSON.
const short = all.filter(([field]) => field !== 'notes');

/** `"id" uuid, …`: the record that a contact's JSON is read as. */
export const recordDefinition = list((field, _column, type) => `"${field}" ${type}`, short);

/** `"id", …, "notes"`: the names of a record that its notes are put beside. */
export const recordNames = sql`${list((field) => `"${field}"`, short)}, "notes"`;

/** `email = excluded.email, …`: what an upsert sets of a contact that is there. */
export const excludedAssignments = list(
  (_field, column) => `${column} = excluded.${column}`,
  all.filter(([field]) => field !== 'id'),
);
