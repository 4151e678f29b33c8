/** Where the sales of a project stand. */
export const PROJECT_STATUSES = [
  'Coming Soon',
  'Available',
  'Sold Out',
  'On Hold',
  'Completed',
] as const;

/** Whether a project is shown; never on the wire itself. */
export const PUBLICATIONS = ['draft', 'live', 'archived'] as const;

export const UNIT_TYPES = [
  'Apartment',
  'Townhouse',
  'House',
  'Land',
  'Commercial',
  'Other',
] as const;

export const UNIT_STATUSES = [
  'Coming Soon',
  'Available',
  'On Hold',
  'Reserved',
  'Under Contract',
  'Unconditional',
  'Settled',
  'Withdrawn',
] as const;
