import { Type } from 'typebox';
import {
  email,
  id,
  instant,
  nullable,
  nullableEnum,
  oneOf,
  textOrNumber,
  type StoredRow,
} from '../platform/fields/index.ts';

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

export const TEXT_MAX_LENGTH = 1_000;
export const BUDGET_MAX_LENGTH = 200;
export const TAGS_MAX_COUNT = 50;
export const TAG_MAX_LENGTH = 100;

/** The fields of a contact that can be written, in the order of an export. */
export const ContactFields = {
  email: email('Required when the contact is created. Several contacts may have one email.'),
  firstName: nullable('string', 'Given name.'),
  lastName: nullable('string', 'Family name.'),
  name: nullable('string', 'Full name.'),
  phone: nullable('string', 'Primary phone.'),
  mobilePhone: nullable('string', 'Mobile phone.'),
  companyName: nullable('string', 'Company.'),
  notes: nullable('string', 'The free-form notes; dated ones are activities.'),
  source: nullableEnum(SOURCES, 'Where the contact comes from.'),
  sourceExternalOriginalName: nullable(
    'string',
    'The label of the source in the system that the contact comes from.',
  ),
  buyerType: nullableEnum(BUYER_TYPES, 'What kind of buyer the contact is.'),
  budget: textOrNumber('A number, or a string of at most 200 characters; kept as given.', {
    maxLength: BUDGET_MAX_LENGTH,
  }),
  referredBy: nullable('string', 'Who referred the contact.'),
  addressLine1: nullable('string', 'Street address.'),
  addressLine2: nullable('string', 'Unit, floor or building.'),
  cityName: nullable('string', 'City or town.'),
  regionName: nullable('string', 'Region.'),
  suburbName: nullable('string', 'Suburb.'),
  postalCode: nullable('string', 'Postal code.'),
  country: nullable('string', 'Country.'),
  stateOrProvince: nullable('string', 'State or province.'),
  stage: nullableEnum(STAGES, 'How far the contact has come.'),
  importedAt: instant('When the contact was first imported.'),
  createdAt: instant(
    'When the contact was created, here or in another system. Left out or null, the stored time stays; a new contact gets the time in its id.',
  ),
  archivedAt: instant('When the contact was archived; null when it is active.'),
  assignedAccountUserId: nullable('string', 'A user of the account, active or not.', {
    format: 'uuid',
  }),
};

/** The types of activities that people and other systems record. Only an import makes an enquiry. */
export const RECORDED_TYPES = ['note', 'call', 'email', 'text', 'meeting', 'viewing'] as const;

/** How far the clock of a client or of another server may be ahead. An activity within this time is not in the future. */
export const CLOCK_SKEW_MAX_MS = 5 * 60_000;

/** The types of activities that answer a lead. */
export const ANSWER_TYPES: readonly string[] = RECORDED_TYPES.filter((type) => type !== 'note');

/** The fields of an activity, in the order of an export. */
export const ActivityFields = {
  type: oneOf(RECORDED_TYPES, 'What happened; note by default.'),
  body: Type.String({ description: 'What was noted.' }),
  outcome: nullable('string', 'How it ended.', { maxLength: TEXT_MAX_LENGTH }),
  occurredAt: Type.String({ format: 'date-time', description: 'When it happened.' }),
};

/** The fields of an enquiry, in the order of an export. */
export const EnquiryFields = {
  contactId: id('The contact that asked again.'),
  values: Type.Record(Type.String(), Type.String(), {
    description:
      'The values that the contact sent and that differ from its own, by the names of the fields.',
  }),
  occurredAt: Type.String({ format: 'date-time', description: 'When it asked.' }),
};

/** The fields of a link from a contact to a project. */
export const LinkFields = {
  projectId: id('A project of the account.'),
  unitId: nullable('string', 'A unit of that project.', { format: 'uuid' }),
};

/** The label of a tag for display, and its key. Two labels of one tag have the same key. */
export interface Label {
  label: string;
  key: string;
}

/** An activity as it is stored. */
export type Activity = Omit<StoredRow<typeof ActivityFields>, 'type' | 'outcome'> & {
  type: (typeof RECORDED_TYPES)[number] | 'enquiry';
  outcome?: string | null;
  /** The sent values, by the names of the fields. Only an enquiry has them. */
  values?: Record<string, string> | null;
  /** The type of the actor who recorded it. */
  actorType?: string | null;
  actorId?: string | null;
  /** When it was recorded. Null for an activity of an earlier release; its id then contains the time. */
  createdAt?: string | null;
};

export type Link = StoredRow<typeof LinkFields>;

/** A contact as it is stored. `notes` is a free-form field; dated notes are activities. */
export type Contact = StoredRow<typeof ContactFields> & {
  id: string;
  /** The form of the email in which emails are compared. */
  emailKey: string;
};

/** A row of another table that belongs to a contact. */
export type RowOfContact<Fields> = Fields & { id: string; contactId: string };

/** A contact with its tags, activities and links, each in the order of their ids. */
export interface FullContact {
  contact: Contact;
  tags: RowOfContact<{ tagId: string }>[];
  activities: RowOfContact<Activity>[];
  links: RowOfContact<Link>[];
}

/**
 * The names of a contact's fields in `filledFields`, in the order of that list. `notes` means an activity in the result of
 * an import, and the free-form field in the result of a merge.
 */
export const FILLED_FIELD_OF = {
  name: 'name',
  firstName: 'first_name',
  lastName: 'last_name',
  phone: 'phone_primary',
  mobilePhone: 'phone_mobile',
  companyName: 'company_name',
  notes: 'notes',
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
} as const satisfies Record<Exclude<keyof typeof ContactFields, UnfilledField>, string>;

type UnfilledField = 'email' | 'createdAt' | 'archivedAt';

export type FillableField = keyof typeof FILLED_FIELD_OF;
export const FILLABLE_FIELDS = Object.keys(FILLED_FIELD_OF) as FillableField[];

export type FilledField = (typeof FILLED_FIELD_OF)[FillableField] | 'contact_tags';
export const FILLED_FIELDS: FilledField[] = [...Object.values(FILLED_FIELD_OF), 'contact_tags'];
