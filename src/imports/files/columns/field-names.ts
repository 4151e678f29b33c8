import { fold } from '../../../platform/text/index.ts';
import { ContactImport } from '../../schemas.ts';
import { HISTORY_FIELDS, HISTORY_NAMES } from './history-fields.ts';
import { isLastFirst } from './person-names.ts';

/** A field of an import request. */
type Field = keyof ContactImport;

/** The fields of columns that an import request does not have. */
export const EXTRA_FIELDS = ['deleted', ...HISTORY_FIELDS] as const;
export type ExtraField = (typeof EXTRA_FIELDS)[number];

/** A field that a column of a file can have: one of an import request, or one that only files have. */
export type FileField = Field | ExtraField;

/** All fields that a column of a file can have. */
export const FIELDS: FileField[] = [
  ...(Object.keys(ContactImport.properties) as Field[]),
  ...EXTRA_FIELDS,
];

/** The fields that make up one postal address. */
export const ADDRESS_FIELDS = new Set<FileField>([
  'addressLine1',
  'addressLine2',
  'cityName',
  'regionName',
  'suburbName',
  'postalCode',
  'country',
  'stateOrProvince',
]);

/*
 * The names that people, forms and other CRMs (HubSpot, Salesforce, Zoho, Pipedrive, Mailchimp, ActiveCampaign, Google, Outlook,
 * Apple, Agentbox, Rex, VaultRE, Box+Dice, Spark) give to a field besides its own, the closest first. Case, marks, spaces and
 * punctuation make no difference. A name that means something else in one of these systems (Status, Type, Price, Title) is left
 * out, because a wrong value is worse than none. `recognize` adds the kinds of emails, phones and addresses (Work Email, Mailing
 * City).
 */
export const NAMES: Partial<Record<FileField, string>> = {
  email: `email address, email addresses, emails, email 1 value, email 1, email address 1, primary email, email primary,
    primary email address, email address primary, main email, email main, default email, email default, email ID, mail`,
  firstName: 'first, given name, given names, given, forename, Christian name, fname, name first',
  lastName: 'last, surname, family name, lname, name last',
  name: `full name, lead name, lead, lead full name, display name, first and last name, name full, prospect,
    prospect name, enquirer`,
  phone: `phone number, primary phone, phone primary, primary phone number, main phone, phone main, telephone,
    telephone number, tel, ph, phone no, phone 1, phone 1 value, contact number, contact no, landline`,
  mobilePhone: `mobile, mobile number, mobile no, mobile phone number, mobile telephone, mobile phone 1, mob,
    cell, cell phone, cell number, cell phone number, cellular, phone mobile, phone number mobile, phone cell,
    primary mobile, mobile primary, mobile 1, iPhone`,
  tag: 'tag name, tag label',
  tags: `labels, label, tag list, categories, category, contact groups, groups, group membership`,
  companyName: `company, organisation, organization, organisation name, organization name, company account,
    organization 1 name, business name, employer, account name, associated company`,
  notes: `note, comments, comment, message, enquiry, inquiry, enquiry message, inquiry message, enquiry details,
    enquiry comments, enquiry notes, lead notes, additional notes, additional comments, remarks, description,
    lead description, associated note, associated notes`,
  source: `source name, lead source, enquiry source, inquiry source, source of enquiry, source of inquiry, source of lead,
    original source, original traffic source, primary source, marketing source, referral source, heard about us,
    how did you hear about us, how did you hear about this project, how did you hear about this development,
    how did you find us, how did you find out about us, how did you hear`,
  sourceExternalOriginalName: `source original name, source detail, source details,
    lead source detail, lead source details, original source drill down 1`,
  buyerType: 'purchaser type, type of buyer, type of purchaser, buyer category, purchaser category',
  budget: `budget range, price range, price bracket, max budget, maximum budget, budget max, purchase budget,
    purchase price range, max price, maximum price, what is your budget`,
  referredBy: 'referred by name, referrer name, introduced by, introducer, who referred you',
  addressLine1: `address 1, address, street, street address, street address 1, street address line 1, street 1,
    street line 1, line 1, street 1 line 1, address street, full address`,
  addressLine2: `address 2, street 2, street address 2, street address line 2, street line 2, line 2,
    extended address, address extended address`,
  cityName: 'city, town, city town, town city, city or town, city suburb',
  regionName: 'region',
  suburbName: 'suburb, neighborhood, neighbourhood',
  postalCode: `post code, zip, zip code, zip postal code, zip or postal code, postal zip code, postal zip,
    postcode zip, zip postcode, postal`,
  country: 'country region, country name, country of residence',
  stateOrProvince:
    'state, province, state province, province state, state region, state territory, state or territory',
  deleted: 'is deleted, deleted flag, deleted record, record deleted',
  ...HISTORY_NAMES,
};

/** The field that a header names. A smaller distance is a closer name; 0 is the name of the field itself. */
export interface Recognized {
  field: FileField;
  distance: number;
  /** The kind of an address, such as `mailing`. The address of a row is of one kind. */
  address?: string;
}

const BY_NAME = new Map(
  FIELDS.flatMap((field) =>
    [field, ...(NAMES[field]?.split(',') ?? [])].map((name, distance): [string, Recognized] => [
      toNameKey(name),
      { field, distance },
    ]),
  ),
);

// "Person - Email" (Pipedrive), "Contact Name" (Zoho) and "Your message" (forms) begin with the owner of the value.
const WHOSE = /^(person|contact|client|customer|buyer|purchaser|enquirer|prospect|your)(?=.)/;

const KINDS =
  'work|business|businesshours|office|home|afterhours|daytime|day|evening|personal|private|direct';
const FURTHER =
  'secondary|second|2nd|other|alternate|alternative|alt|additional|further|extra|third';
/** Names such as "Work Email" and "Phone (Home)". */
const OF_A_KIND = new RegExp(`^(?:${KINDS})(?<after>.+)$|^(?<before>.+?)(?:${KINDS})$`);
/** Names such as "Secondary Email", "Additional email addresses", "E-mail 2 - Value" and "Business Phone 2". */
const OF_A_FURTHER_ONE = new RegExp(
  `^(?:${FURTHER})(?<after>.+)$|^(?<before>.+?)(?:(?:${FURTHER})|[2-9](?:value|address)?)$`,
);
const REACHES = new Set<FileField>(['email', 'phone', 'mobilePhone']);
const KIND_DISTANCE = 1_000;
const FURTHER_DISTANCE = 2_000;

const ADDRESS_KINDS =
  'address[1-9]|mailing|postal|home|residential|business|work|billing|shipping|delivery|primary|other|physical';
/** Names such as "Mailing City", "Address 1 - Zip", "Home Address Postal Code" and "Address City", which has no kind. */
const OF_AN_ADDRESS = new RegExp(
  `^(?:(?<kind>${ADDRESS_KINDS})(?:address)?|(?:street)?address)(?<after>.+)$`,
);

/**
 * Finds the field that a header names, or null. The names of all kinds of an email or phone are equally close; that of a second
 * or later one is farther.
 */
export function recognize(header: string): Recognized | null {
  const key = toNameKey(header);
  if (isLastFirst(key)) return { field: 'name', distance: 1 };
  return recognizeKey(key) ?? recognizeKey(key.replace(WHOSE, ''));
}

function recognizeKey(key: string): Recognized | null {
  return BY_NAME.get(key) ?? findKind(key) ?? findFurther(key) ?? findAddress(key);
}

function findKind(key: string): Recognized | null {
  const match = BY_NAME.get(readBase(key, OF_A_KIND));
  return match && REACHES.has(match.field) ? { field: match.field, distance: KIND_DISTANCE } : null;
}

function findFurther(key: string): Recognized | null {
  const base = readBase(key, OF_A_FURTHER_ONE);
  const match = BY_NAME.get(base) ?? findKind(base);
  return match && REACHES.has(match.field)
    ? { field: match.field, distance: FURTHER_DISTANCE }
    : null;
}

function readBase(key: string, names: RegExp): string {
  const { after, before = '' } = names.exec(key)?.groups ?? {};
  return after ?? before;
}

function findAddress(key: string): Recognized | null {
  const groups = OF_AN_ADDRESS.exec(key)?.groups;
  const { kind, after = '' } = groups ?? {};
  const match = groups && (BY_NAME.get(after) ?? BY_NAME.get(`address${after}`));
  if (match === undefined || !ADDRESS_FIELDS.has(match.field)) return null;
  const isOfAKind = kind !== undefined;
  return { field: match.field, distance: KIND_DISTANCE, ...(isOfAKind && { address: kind }) };
}

/** Reduces a name to its letters and digits, without case and marks, so that all its spellings are equal. */
export function toNameKey(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, '');
}
