/** The labels of a contact's fields, by their wire names. Several pages share them. */
export const contactFields = {
  addressLine1: 'Street address',
  addressLine2: 'Unit or floor',
  archivedAt: 'Archived',
  assignedAccountUserId: 'Assigned to',
  budget: 'Budget',
  buyerType: 'Buyer type',
  cityName: 'City',
  companyName: 'Company',
  country: 'Country',
  createdAt: 'Came in',
  email: 'Email',
  firstName: 'First name',
  importedAt: 'First imported',
  lastName: 'Last name',
  links: 'Interested in',
  mobilePhone: 'Mobile',
  name: 'Name',
  notes: 'Remarks',
  phone: 'Phone',
  postalCode: 'Postal code',
  referredBy: 'Referred by',
  regionName: 'Region',
  source: 'Source',
  sourceExternalOriginalName: 'Source elsewhere',
  stage: 'Stage',
  stateOrProvince: 'State',
  suburbName: 'Suburb',
  tags: 'Tags',
} as const;

/** The longer labels of an address in a file or a lead, whose sender may have another word for a field. */
export const leadAddressFields = {
  addressLine1: 'Street address',
  addressLine2: 'Unit, floor or building',
  suburbName: 'Suburb',
  cityName: 'City or town',
  regionName: 'Region',
  stateOrProvince: 'State or province',
  postalCode: 'Postal code',
  country: 'Country',
} as const;

export type ContactFieldName = keyof typeof contactFields;

/** Returns the label of a field, or its wire name when it has none. */
export const nameField = (field: string): string =>
  (contactFields as Record<string, string>)[field] ?? field;
