export const STAGES = [
  'New',
  'Contacted',
  'Qualified',
  'Viewing',
  'Reserved',
  'Under Contract',
  'Settled',
  'Nurture',
  'Lost',
] as const;
export const SOURCES = [
  'Website',
  'Referral',
  'Social Media',
  'Open Home',
  'Agent',
  'Other',
] as const;
export const BUYER_TYPES = [
  'First Home Buyer',
  'Investor',
  'Downsizer',
  'Upgrader',
  'Other',
] as const;

export type Stage = (typeof STAGES)[number];
export type Source = (typeof SOURCES)[number];
export type BuyerType = (typeof BUYER_TYPES)[number];

export const TEXT_MAX_LENGTH = 1_000;
export const BUDGET_MAX_LENGTH = 200;
export const TAGS_MAX_COUNT = 50;
export const TAG_MAX_LENGTH = 100;

/** The names that `filledFields` can hold, in their order there. */
export const FILLED_FIELDS = [
  'name',
  'first_name',
  'last_name',
  'phone_primary',
  'phone_mobile',
  'company_name',
  'notes',
  'stage',
  'source',
  'source_external_original_name',
  'buyer_type',
  'budget',
  'referred_by',
  'address_line_1',
  'address_line_2',
  'city_name',
  'region_name',
  'suburb_name',
  'postal_code',
  'country',
  'state_or_province',
  'imported_at',
  'assigned_account_user',
  'contact_tags',
] as const;
export type FilledField = (typeof FILLED_FIELDS)[number];
