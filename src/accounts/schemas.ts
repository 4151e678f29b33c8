import { Type, type Static, type TObject } from 'typebox';
import {
  email,
  id,
  name,
  nullable,
  nullableImage,
  oneOf,
  webUrl,
  type StoredRow,
} from '../platform/fields/index.ts';

/** The fields of an organization that the stock endpoints show. */
export const ShownFields = {
  companyName: name('Its legal name. Required when the account is created.'),
  displayName: name('The name that buyers know. Required when the account is created.'),
  intro: nullable('string', 'A few words about it.'),
  email: email('Its contact email. Required when the account is created.'),
  phone: nullable('string', 'Its contact phone number.'),
  location: name('Where it is. Required when the account is created.'),
  websiteUrl: webUrl('Its website. Required when the account is created.'),
  logoImage: nullableImage('Its logo.'),
};

const SEES = ['all', 'own'] as const;
const SECOND_STEP_FOR = ['nobody', 'owners_and_managers', 'everybody'] as const;
export type AgentsSee = (typeof SEES)[number];
export type SecondStepFor = (typeof SECOND_STEP_FOR)[number];

/** The fields of an organization that can be written, in the order of an export. */
export const OrganizationFields = {
  ...ShownFields,
  agentsSee: oneOf(
    SEES,
    'The contacts that agents see: `all`, or their `own` and those assigned to nobody; `all` by default.',
  ),
  timeZone: Type.Optional(
    Type.String({
      format: 'time-zone',
      maxLength: 100,
      description: 'The IANA time zone of its days; `UTC` by default.',
    }),
  ),
  defaultCurrency: nullable('string', 'The ISO 4217 code of its currency.', { format: 'currency' }),
  secondStepFor: oneOf(
    SECOND_STEP_FOR,
    'The people who must also enter a code to sign in; `nobody` by default.',
  ),
};

/** The developer that an account belongs to. */
export type Organization = StoredRow<typeof OrganizationFields>;

/** The fields that a request can change. A text has at most 1,000 characters. */
const properties = Object.fromEntries(
  Object.entries(OrganizationFields).map(([name, schema]) => [
    name,
    'properties' in schema ? schema : { maxLength: 1_000, ...schema },
  ]),
);

export type OrganizationChanges = Static<TObject<typeof OrganizationFields>>;
const OrganizationChanges = Type.Unsafe<OrganizationChanges>({
  $id: 'OrganizationChanges',
  type: 'object',
  description: 'The fields of the organization to change.',
  properties,
  additionalProperties: false,
  examples: [{ timeZone: 'Pacific/Auckland', defaultCurrency: 'NZD' }],
});

const Logo = Type.Object({ key: Type.String(), url: Type.String({ format: 'uri' }) });

/** The organization as the management API shows it. */
const ShownOrganization = Type.Object(
  {
    id: id('The id of the account.'),
    slug: Type.String({ description: 'The name of the account in links and commands.' }),
    companyName: Type.String(),
    displayName: Type.String(),
    intro: nullable('string', 'A few words about it.'),
    email: Type.String(),
    phone: nullable('string', 'Its contact phone number.'),
    location: Type.String(),
    websiteUrl: Type.String(),
    logoImage: Type.Unsafe<Static<typeof Logo> | null>({ anyOf: [Logo, { type: 'null' }] }),
    agentsSee: Type.Enum([...SEES]),
    timeZone: Type.String(),
    defaultCurrency: nullable('string', 'The ISO 4217 code of its currency.'),
    secondStepFor: Type.Enum([...SECOND_STEP_FOR]),
    etag: Type.String({ description: 'The version of the organization.' }),
  },
  {
    $id: 'OrganizationSettings',
    description: 'The organization, and the settings of its account.',
  },
);
export type ShownOrganization = Static<typeof ShownOrganization>;

export const ORGANIZATION_SCHEMAS = [OrganizationChanges, ShownOrganization];
