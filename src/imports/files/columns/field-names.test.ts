import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELDS, NAMES, recognize, type FileField } from './field-names.ts';

const findFieldName = (header: string): FileField | null => recognize(header)?.field ?? null;

test('a column is recognised by the name of its field in any spelling, before any other name', () => {
  for (const field of FIELDS) {
    const words = field.replace(/([A-Z0-9])/g, ' $1').toLowerCase();
    for (const name of [
      field,
      words,
      words.toUpperCase(),
      words.replaceAll(' ', '_'),
      ` ${words.replaceAll(' ', '-')} *`,
    ])
      assert.deepEqual(recognize(name), { field, distance: 0 }, name);
  }
  assert.equal(findFieldName('É-mail'), 'email');
});

// The columns that other systems export, with the field of each; null when we have no such field, or the meaning is ambiguous.
const EXPORTS: Record<string, Record<string, FileField | null>> = {
  HubSpot: {
    'Record ID': null,
    'First Name': 'firstName',
    'Last Name': 'lastName',
    Email: 'email',
    'Phone Number': 'phone',
    'Mobile Phone Number': 'mobilePhone',
    'Contact owner': 'owner',
    'Associated Company': 'companyName',
    'Company Name': 'companyName',
    'Street Address': 'addressLine1',
    City: 'cityName',
    'State/Region': 'stateOrProvince',
    'Postal Code': 'postalCode',
    'Country/Region': 'country',
    'Lead Status': null,
    'Original Source': 'source',
    'Original Source Drill-Down 1': 'sourceExternalOriginalName',
    'Create Date': 'createdAt',
    Message: 'notes',
    'Additional email addresses': 'email',
    'Associated Note': 'notes',
  },
  Salesforce: {
    'Mobile Phone': 'mobilePhone',
    MobilePhone: 'mobilePhone',
    'Company / Account': 'companyName',
    'Account Name': 'companyName',
    'Mailing Street': 'addressLine1',
    'Mailing City': 'cityName',
    'Mailing State/Province': 'stateOrProvince',
    'Mailing Zip/Postal Code': 'postalCode',
    'Mailing Country': 'country',
    'Other Street': 'addressLine1',
    'Other Phone': 'phone',
    IsDeleted: 'deleted',
    HasOptedOutOfEmail: 'noEmail',
    'Lead Source': 'source',
    'Lead Owner': 'owner',
    Title: null,
    Rating: null,
    Description: 'notes',
  },
  Zoho: {
    'Contact Name': 'name',
    'Full Name': 'name',
    'Zip Code': 'postalCode',
    Tag: 'tag',
    'Secondary Email': 'email',
    Lead: 'name',
    'Created Time': 'createdAt',
    'Email Opt Out': 'noEmail',
  },
  Pipedrive: {
    'Person - Name': 'name',
    'Person - Email - Work': 'email',
    'Person - Phone - Mobile': 'mobilePhone',
    'Person - Phone - Work': 'phone',
    'Person - Organization': 'companyName',
    'Person - Labels': 'tags',
    'Person - Owner': 'owner',
    'Person - Person created': 'createdAt',
    'Person - Marketing status': 'noEmail',
    'Person - Open deals': null,
  },
  Mailchimp: {
    'Email Address': 'email',
    FNAME: 'firstName',
    LNAME: 'lastName',
    Address: 'addressLine1',
    TAGS: 'tags',
    NOTES: 'notes',
    MEMBER_RATING: null,
    OPTIN_TIME: null,
    UNSUB_TIME: 'noEmail',
  },
  ActiveCampaign: { Tags: 'tags', 'Contact ID': null, 'Date Created': 'createdAt' },
  Google: {
    'Given Name': 'firstName',
    'Family Name': 'lastName',
    'E-mail 1 - Value': 'email',
    'E-mail 1 - Label': null,
    'E-mail 2 - Value': 'email',
    'Phone 1 - Value': 'phone',
    'Phone 1 - Type': null,
    'Address 1 - Street': 'addressLine1',
    'Address 1 - Extended Address': 'addressLine2',
    'Address 1 - City': 'cityName',
    'Address 1 - Postal Code': 'postalCode',
    'Address 1 - Country': 'country',
    'Address 1 - Zip': 'postalCode',
    'Address 1 - Formatted': null,
    'Email - Primary': 'email',
    'Organization Name': 'companyName',
    'Group Membership': 'tags',
    Labels: 'tags',
  },
  Outlook: {
    'E-mail Address': 'email',
    'E-mail Display Name': null,
    'E-mail 2 Address': 'email',
    'E-mail 3 Display Name': null,
    'Home Phone': 'phone',
    'Home Phone 2': 'phone',
    'Business Phone 2': 'phone',
    'Business Phone': 'phone',
    'Home Street': 'addressLine1',
    'Home Street 2': 'addressLine2',

    'Home City': 'cityName',
    'Home State': 'stateOrProvince',
    'Home Postal Code': 'postalCode',
    'Home Country/Region': 'country',
    Categories: 'tags',
    Department: null,
  },
  'property CRMs': {
    'Given Names': 'firstName',
    Surname: 'lastName',
    Mobile: 'mobilePhone',
    Cell: 'mobilePhone',
    Telephone: 'phone',
    Suburb: 'suburbName',
    Postcode: 'postalCode',
    'Post Code': 'postalCode',
    Zip: 'postalCode',
    State: 'stateOrProvince',
    Budget: 'budget',
    'Price Range': 'budget',
    Price: null,
    Enquiry: 'notes',
    Comments: 'notes',
    'How did you hear about us?': 'source',
    'Source of Enquiry': 'source',
    'Buyer Type': 'buyerType',
    'Purchaser type': 'buyerType',
    'Contact Type': null,
    'Your message': 'notes',
    'Referred By': 'referredBy',
    Organisation: 'companyName',
    Project: 'project',
    Unit: 'unit',
    Agent: 'owner',
    Status: null,
    Stage: 'stage',
    'Last Contacted': null,
  },
};

test('the columns that other systems export are recognised, except ambiguous ones', () => {
  for (const [system, columns] of Object.entries(EXPORTS))
    for (const [header, field] of Object.entries(columns))
      assert.equal(findFieldName(header), field, `${system}: ${header}`);
  for (const header of ['', '#', 'Contact', 'Person', 'Your', 'Status', 'Type', '电子邮件'])
    assert.equal(findFieldName(header), null, header);
});

test('no name of a column belongs to two fields', () => {
  for (const field of FIELDS)
    for (const [index, name] of (NAMES[field]?.split(',') ?? []).entries())
      assert.deepEqual(recognize(name), { field, distance: index + 1 }, name);
});
