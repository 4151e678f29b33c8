import type { components } from '../api.ts';

type LeadField = keyof components['schemas']['ContactImport'];

/** The labels of the fields of a lead, in the order of the form. */
const NAMES: Record<LeadField, string> = {
  email: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  name: 'Full name',
  phone: 'Phone',
  mobilePhone: 'Mobile',
  companyName: 'Company',
  notes: 'Note or message',
  source: 'Source',
  sourceExternalOriginalName: 'Source, in the other system’s words',
  tag: 'One tag',
  tags: 'Tags',
  buyerType: 'Buyer type',
  budget: 'Budget',
  referredBy: 'Referred by',
  projectId: 'Project',
  unitId: 'Unit',
  assignedAccountUserId: 'Assigned to',
  addressLine1: 'Street address',
  addressLine2: 'Unit, floor or building',
  suburbName: 'Suburb',
  cityName: 'City or town',
  regionName: 'Region',
  stateOrProvince: 'State or province',
  postalCode: 'Postal code',
  country: 'Country',
};

export const FIELD_NAMES: readonly string[] = Object.keys(NAMES);

export const nameLeadField = (name: string): string => NAMES[name as LeadField] ?? name;
