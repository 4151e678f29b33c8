import type { Contact, FilledField } from './schemas.ts';

/** The fields that an import fills when they are empty, and what `filledFields` calls them. */
export const FILLED_FIELD_OF = {
  name: 'name',
  firstName: 'first_name',
  lastName: 'last_name',
  phone: 'phone_primary',
  mobilePhone: 'phone_mobile',
  companyName: 'company_name',
  stage: 'stage',
  source: 'source',
  sourceExternalOriginalName: 'source_external_original_name',
  buyerType: 'buyer_type',
  budget: 'budget',
  referredBy: 'referred_by',
  addressLine1: 'address_line_1',
  addressLine2: 'address_line_2',
  cityName: 'city_name',
  regionName: 'region_name',
  suburbName: 'suburb_name',
  postalCode: 'postal_code',
  country: 'country',
  stateOrProvince: 'state_or_province',
  importedAt: 'imported_at',
  assignedAccountUserId: 'assigned_account_user',
} as const satisfies Partial<Record<keyof Contact, FilledField>>;

export type FillableField = keyof typeof FILLED_FIELD_OF;
export const FILLABLE_FIELDS = Object.keys(FILLED_FIELD_OF) as FillableField[];
