import {
  email,
  name,
  nullable,
  nullableImage,
  text,
  webUrl,
  type StoredRow,
} from '../platform/fields/index.ts';

/** The fields of an organization that can be written, in the order of an export. */
export const OrganizationFields = {
  companyName: name('Its legal name. Required when the account is created.'),
  displayName: name('What buyers know it as. Required when the account is created.'),
  intro: nullable('string', 'A few words about it.'),
  email: email('Its contact email. Required when the account is created.'),
  phone: nullable('string', 'Its contact phone number.'),
  location: text('Where it is. Required when the account is created.'),
  websiteUrl: webUrl('Its website. Required when the account is created.'),
  logoImage: nullableImage('Its logo.'),
};

/** The developer that an account belongs to. */
export type Organization = StoredRow<typeof OrganizationFields>;
