import type { components } from '../api.ts';
import { leadAddressFields } from '../parts/domain/contact-texts.ts';

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
  ...leadAddressFields,
};

export const FIELD_NAMES: readonly string[] = Object.keys(NAMES);

export const nameLeadField = (name: string): string => NAMES[name as LeadField] ?? name;
