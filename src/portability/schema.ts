import type { Static } from 'typebox';
import { Type } from '../platform/text/index.ts';
import { BUDGET_MAX_LENGTH, BUYER_TYPES, SOURCES, STAGES } from '../contacts/index.ts';
import { PROJECT_STATUSES, PUBLICATIONS, UNIT_STATUSES, UNIT_TYPES } from '../projects/index.ts';
import {
  email,
  id,
  image,
  instant,
  name,
  NOT_BLANK,
  nullable,
  nullableEnum,
  nullableImage,
  object,
  oneOf,
  optional,
  slug,
  text,
  textOrNumber,
  webUrl,
} from './fields.ts';

/*
 * The fields of each object stand in the order in which an export writes them. What is required here is
 * required always; what only a creation requires is with each kind of row, as its `required`.
 */

export const Organization = object(
  {
    companyName: name('Its legal name. Required when the account is created.'),
    displayName: name('What buyers know it as. Required when the account is created.'),
    intro: nullable('string', 'A few words about it.'),
    email: email('Its contact email. Required when the account is created.'),
    phone: nullable('string', 'Its contact phone number.'),
    location: text('Where it is. Required when the account is created.'),
    websiteUrl: webUrl('Its website. Required when the account is created.'),
    logoImage: nullableImage('Its logo.'),
  },
  'The developer. May be left out when the account is there.',
);

export const User = object(
  {
    id: optional(id('Without it the user is found by the email.')),
    email: email(
      'Unique in the account, without regard to case. Required when the user is created.',
    ),
    name: name('Required when the user is created.'),
    active: optional(
      Type.Boolean({
        description: 'Whether contacts can be assigned to the user by an import; true by default.',
      }),
    ),
  },
  'Someone who works for the developer.',
);

const count = (description: string) => nullable('number', description, { minimum: 0 });

export const Unit = object(
  {
    id: optional(id('Without it the unit is found by its name within the project.')),
    name: name('What the unit is called. Required when the unit is created.'),
    lotNumber: textOrNumber('Its lot on the plan; kept as given.'),
    unitType: nullableEnum(UNIT_TYPES, 'What kind of unit it is.'),
    status: oneOf(
      UNIT_STATUSES,
      'Where its sale stands; Coming Soon by default. A Withdrawn unit is stored and not shown.',
    ),
    level: textOrNumber('The floor it is on; kept as given.'),
    bedrooms: count('A studio has 0.'),
    bathrooms: count('Its bathrooms.'),
    carSpaces: count('Its car spaces.'),
    aspect: nullable('string', 'Where it faces.'),
    internalAreaSqm: count('In square metres.'),
    externalAreaSqm: count('In square metres.'),
    landAreaSqm: count('In square metres.'),
    price: count('Its price; null hides it.'),
    priceDisplay: nullable('string', 'The price as it is to be shown.'),
    currency: nullable('string', 'Of the price, such as NZD.'),
    floorPlanImage: nullableImage('Its floor plan.'),
  },
  'One thing for sale in a project.',
);

const dateOrInstant = Type.String({
  anyOf: [{ format: 'date' }, { format: 'date-time' }],
  description: 'When it is expected to be finished. Required when the project is created.',
});

export const Project = object(
  {
    id: optional(id('Without it the project is found by its slug; with it the slug may change.')),
    slug: optional(slug('Its name in paths, unique in the account. Required when it is created.')),
    name: name('Required when the project is created.'),
    publication: oneOf(PUBLICATIONS, 'Only live projects are shown; draft by default.'),
    status: oneOf(PROJECT_STATUSES, 'Where its sales stand; Coming Soon by default.'),
    developmentDescription: text('What is being built. Required when the project is created.'),
    estimatedCompletionDate: optional(dateOrInstant),
    addressLine1: text('Required when the project is created.'),
    addressLine2: nullable('string', 'The second line of the address.'),
    postalCode: text('Required when the project is created.'),
    latitude: optional(
      Type.Number({
        minimum: -90,
        maximum: 90,
        description: 'In degrees. Required when the project is created.',
      }),
    ),
    longitude: optional(
      Type.Number({
        minimum: -180,
        maximum: 180,
        description: 'In degrees. Required when the project is created.',
      }),
    ),
    cityName: text('Required when the project is created.'),
    regionName: text('Required when the project is created.'),
    regionSlug: optional(slug('Made from regionName when the project is created without it.')),
    suburbName: text('Required when the project is created.'),
    projectWebsiteUrl: webUrl('Required when the project is created.'),
    heroImage: nullableImage('The picture that stands for the project.'),
    galleryImages: optional(Type.Array(image, { description: 'All of them, in display order.' })),
    relatedProjects: optional(
      Type.Array(slug('The slug of another project of the account.'), {
        description: 'All of them, in their order.',
      }),
    ),
    units: optional(
      Type.Array(Unit, {
        description:
          'All of them, in their order: a unit that is missing is removed, which is refused when a contact ' +
          'is linked to it. Absent: they stay as they are.',
      }),
    ),
  },
  'A property development.',
);

const label = (description: string) => Type.String({ pattern: NOT_BLANK, description });

const Tag = object(
  {
    label: label(
      'At most 100 characters; one tag without regard to case, the first spelling wins.',
    ),
  },
  'A tag of the account. Tags that contacts name are made, whether they are listed or not.',
);

const Activity = object(
  {
    type: optional(Type.Enum(['note'], { type: 'string', description: 'note is the only one.' })),
    body: Type.String({ description: 'What was noted.' }),
    occurredAt: Type.String({ format: 'date-time', description: 'When it was noted.' }),
  },
  'Something that happened. Added unless the contact has one with the same type, body and time.',
);

const Link = object(
  {
    projectId: id('A project of the account.'),
    unitId: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'uuid',
        description: 'A unit of that project.',
      }),
    ),
  },
  'What the contact is interested in. Added unless the contact has it.',
);

export const Contact = object(
  {
    id: optional(id('Without it the contact is found by the email, when only one contact has it.')),
    email: email('Required when the contact is created. Several contacts may have one email.'),
    firstName: nullable('string', 'Given name.'),
    lastName: nullable('string', 'Family name.'),
    name: nullable('string', 'Full name.'),
    phone: nullable('string', 'Primary phone.'),
    mobilePhone: nullable('string', 'Mobile phone.'),
    companyName: nullable('string', 'Company.'),
    notes: nullable('string', 'The free-form notes; dated ones are activities.'),
    source: nullableEnum(SOURCES, 'Where the contact comes from.'),
    sourceExternalOriginalName: nullable('string', 'The label of the source elsewhere.'),
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
    archivedAt: instant('When the contact was archived; null when it is active.'),
    assignedAccountUserId: nullable('string', 'A user of the account, active or not.', {
      format: 'uuid',
    }),
    tags: optional(
      Type.Array(label('A label.'), { description: 'Added to those that are there.' }),
    ),
    activities: optional(Type.Array(Activity, { description: 'Added to those that are there.' })),
    links: optional(Type.Array(Link, { description: 'Added to those that are there.' })),
  },
  'A lead or a client.',
);

export const FORMAT = 'offplan-account/1';

const Account = object(
  {
    slug: slug('Names the account on the command line, and says whether it is created or updated.'),
    organization: optional(Organization),
  },
  'The account that is created or updated.',
);

export const AccountFile = object(
  {
    $schema: optional(Type.String({ description: 'For editors; not stored.' })),
    format: Type.Enum([FORMAT], { type: 'string', description: 'The version of this format.' }),
    account: Account,
    users: optional(Type.Array(User)),
    projects: optional(Type.Array(Project)),
    tags: optional(Type.Array(Tag)),
    contacts: optional(Type.Array(Contact)),
  },
  'One account of Offplan, as `offplan export` writes it and `offplan load` takes it. A field that is ' +
    'left out stays as it is, and null empties it.',
);

export type AccountFile = Static<typeof AccountFile>;
export type OrganizationEntry = Static<typeof Organization>;
export type UserEntry = Static<typeof User>;
export type ProjectEntry = Static<typeof Project>;
export type UnitEntry = Static<typeof Unit>;
export type ContactEntry = Static<typeof Contact>;

/** The format as it is published in docs/account-file.schema.json. */
export function accountFileSchemaDocument(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Offplan account file',
    ...AccountFile,
  };
}
