import { fold } from '../../platform/text/index.ts';
import { ContactImport } from '../schemas.ts';

/** A field of an import request. */
export type Field = keyof ContactImport;

export const FIELDS = Object.keys(ContactImport.properties) as Field[];

/*
 * The names that people, forms and other CRMs (HubSpot, Salesforce, Zoho, Pipedrive, Mailchimp, ActiveCampaign, Google,
 * Outlook, Apple, Agentbox, Rex, VaultRE, Box+Dice, Spark) give to a field besides its own: the closest first. Case,
 * marks, spaces and punctuation do not count. A name that means something else in one of these systems (Owner, Status,
 * Type, Price, Project, Created) is left out: a wrong value is worse than none.
 */
export const NAMES: Partial<Record<Field, string>> = {
  email: `email address, email 1 value, email 1, email address 1, primary email, main email, email ID, mail,
    personal email, home email, email home, email work, work email, business email, email other`,
  firstName: 'first, given name, given names, given, forename, Christian name, fname, name first',
  lastName: 'last, surname, family name, lname, name last',
  name: 'full name, lead name, display name, first and last name, name full',
  phone: `phone number, primary phone, primary phone number, main phone, telephone, telephone number, tel, ph,
    phone no, phone 1, phone 1 value, contact number, contact no, home phone, home phone number, phone home,
    landline, daytime phone, business phone, business phone number, work phone, work phone number,
    phone work, business hours phone, after hours phone`,
  mobilePhone: `mobile, mobile number, mobile no, mobile phone number, mobile telephone, mobile phone 1, mob,
    cell, cell phone, cell number, cell phone number, cellular, phone mobile, phone cell,
    primary mobile, mobile 1, iPhone`,
  tag: 'tag name, tag label',
  tags: `labels, label, tag list, categories, category, contact groups, groups, group membership`,
  companyName: `company, organisation, organization, organisation name, organization name, company account,
    organization 1 name, business name, employer, account name, associated company`,
  notes: `note, comments, comment, message, enquiry, inquiry, enquiry message, inquiry message, enquiry details,
    enquiry comments, enquiry notes, lead notes, additional notes, additional comments, remarks, description,
    lead description`,
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
    address street, address 1 street, address 1 street 1, address 1 line 1, mailing street, mailing address, mailing address 1,
    mailing address line 1, postal address, postal address 1, postal address line 1, postal street,
    residential address, home street, home address, business street, business address`,
  addressLine2: `address 2, street 2, street address 2, street address line 2, address 1 street 2, address 1 line 2,
    address 1 extended address, mailing street 2, mailing address 2, mailing address line 2, postal address 2,
    postal address line 2, home street 2, home address 2, business street 2, business address 2`,
  cityName: `city, town, city town, town city, city or town, address city, address 1 city, mailing city,
    postal city, home city, business city`,
  regionName: 'region, address region, address 1 region',
  suburbName:
    'suburb, address suburb, address 1 suburb, mailing suburb, postal suburb, home suburb',
  postalCode: `post code, zip, zip code, zip postal code, zip or postal code, postal zip code, postal zip,
    postcode zip, zip postcode, address postcode, address postal code, address zip, address zip code,
    address 1 postal code, address 1 zip postal code, mailing postal code, mailing postcode, mailing zip,
    mailing zip code, mailing zip postal code, postal postcode, home postal code, home postcode, home zip code,
    business postal code, business postcode, business zip code`,
  country: `country region, country name, country of residence, address country, address 1 country,
    address 1 country region, mailing country, postal country, home country, home country region,
    business country, business country region`,
  stateOrProvince: `state, province, state province, state region, state territory, state or territory,
    address state, address 1 state province, address 1 state, mailing state, mailing state province,
    postal state, home state, business state`,
};

const BY_NAME = new Map(
  FIELDS.flatMap((field) =>
    [field, ...(NAMES[field]?.split(',') ?? [])].map(
      (name, distance) => [toNameKey(name), { field, distance }] as const,
    ),
  ),
);

// "Person - Email" (Pipedrive), "Contact Name" (Zoho) and "Your message" (forms) begin with the owner of the value.
const WHOSE = /^(person|contact|client|customer|buyer|purchaser|enquirer|your)(?=.)/;

/** Finds the field that a header names, or null. A smaller distance is a closer name; 0 is the field's own. */
export function recognize(header: string): { field: Field; distance: number } | null {
  const key = toNameKey(header);
  return BY_NAME.get(key) ?? BY_NAME.get(key.replace(WHOSE, '')) ?? null;
}

/** Reduces a name to its letters and digits, without case and marks, so that all its spellings are equal. */
export function toNameKey(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, '');
}
