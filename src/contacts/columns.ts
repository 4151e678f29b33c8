import { buildRowSql, type Columns } from '../platform/database/index.ts';
import type { Contact } from './schemas.ts';

const COLUMNS: Columns<Contact & { emailKey: string }> = {
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

/** The parts of statements that read and write whole contacts; `c` is the table's alias. */
export const contactRow = buildRowSql(COLUMNS, { alias: 'c' });
