import { Type, type Static, type TSchemaOptions } from 'typebox';
import {
  BUDGET_MAX_LENGTH,
  BUYER_TYPES,
  FILLED_FIELDS,
  SOURCES,
  TAG_MAX_LENGTH,
  TAGS_MAX_COUNT,
  TEXT_MAX_LENGTH,
} from '../contacts/index.ts';
import { id, nullable, textOrNumber } from '../platform/fields/index.ts';
import type { ProblemBody } from '../platform/http/index.ts';

const text = (description: string, options: TSchemaOptions = {}) =>
  nullable('string', description, { maxLength: TEXT_MAX_LENGTH, ...options });

/** The lead in the examples. */
const EXAMPLE = {
  email: 'mereana.pou@example.com',
  firstName: 'Mereana',
  lastName: 'Pou',
  mobilePhone: '+64 21 555 0142',
  source: 'Website',
};

export const ContactImport = Type.Object(
  {
    email: Type.String({
      description:
        'One address of at most 254 characters; a name, brackets or quotes around it are taken off. Matched without ' +
        'regard to case and invisible characters.',
      examples: ['aroha@example.com'],
    }),
    firstName: text('Given name.', { examples: ['Aroha'] }),
    lastName: text('Family name.', { examples: ['Ngata'] }),
    name: text(
      'Full name. When it is not supplied and the contact has none, it is made of the first and the last name.',
    ),
    phone: text('Primary phone.', { examples: ['+64 9 555 0142'] }),
    mobilePhone: text('Mobile phone.', { examples: ['+64 21 555 0142'] }),
    tag: text('One tag label; a comma in it is part of the label.', { examples: ['Website lead'] }),
    tags: Type.Optional(
      Type.Unsafe<string[] | string | null>({
        type: ['array', 'string', 'null'],
        items: { type: 'string' },
        description:
          'Tag labels, as an array or as one text with commas between them. With `tag` at most ' +
          `${TAGS_MAX_COUNT} labels of ${TAG_MAX_LENGTH} characters.`,
        examples: [['First home', 'Brochure']],
      }),
    ),
    companyName: text('Company.'),
    notes: nullable(
      'string',
      'Stored as a dated activity of the contact, unless its latest activity says the same. Only the size of the body limits its length.',
      { examples: ['Would like to see a two-bedroom apartment.'] },
    ),
    source: text(
      `${SOURCES.join(', ')}, in any case. Any other is stored as Other, and what was supplied ` +
        'as `sourceExternalOriginalName`. Omitted: Other and `API Import`.',
      { examples: ['Website'] },
    ),
    sourceExternalOriginalName: text(
      'The label of the source in the system that the lead comes from.',
    ),
    buyerType: text(`${BUYER_TYPES.join(', ')}, in any case.`, { examples: ['First Home Buyer'] }),
    budget: textOrNumber(
      `A number, or a string of at most ${BUDGET_MAX_LENGTH} characters; kept as given.`,
      { maxLength: BUDGET_MAX_LENGTH, examples: ['$800k to $950k'] },
    ),
    referredBy: text('Who referred the contact.'),
    addressLine1: text('Street address.'),
    addressLine2: text('Unit, floor or building.'),
    cityName: text('City or town.'),
    regionName: text('Region.'),
    suburbName: text('Suburb.'),
    postalCode: text('Postal code.'),
    country: text('Country.'),
    stateOrProvince: text('State or province.'),
    projectId: text('A live project of the account, to link the contact to.'),
    unitId: text('A unit of that project, to link the contact to; needs `projectId`.'),
    assignedAccountUserId: text('An active user of the account, to assign the contact to.'),
  },
  {
    $id: 'ContactImport',
    examples: [EXAMPLE],
    description:
      'A lead. A field that is null, empty or blank counts as not supplied; unknown ones are ignored.',
  },
);
export type ContactImport = Static<typeof ContactImport>;

const nullableId = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description });

export const ContactImportResult = Type.Object(
  {
    action: Type.Enum(['created', 'merged'], {
      description: 'Whether there was a contact with the email.',
    }),
    contactId: id('The contact that was created or matched.'),
    email: Type.String({ description: "The contact's email, as it is stored." }),
    matchedBy: Type.Unsafe<'email' | null>({
      enum: ['email', null],
      description: 'null when created; `email` when merged.',
    }),
    filledFields: Type.Array(Type.Enum([...FILLED_FIELDS]), {
      description:
        'The fields that this request set, always in the same order. `notes`: an activity was written.',
    }),
    linkedProjectId: nullableId('The project that this request linked, or null.'),
    linkedUnitId: nullableId('The unit that this request linked, or null.'),
  },
  { $id: 'ContactImportResult', description: 'What the import did.' },
);
export type ContactImportResult = Static<typeof ContactImportResult>;

/** The result of importing the example. */
export const EXAMPLE_RESULT: ContactImportResult = {
  action: 'created',
  contactId: '0196a24b-34ec-7db6-924f-03249bebad2a',
  email: EXAMPLE.email,
  matchedBy: null,
  filledFields: [
    'name',
    'first_name',
    'last_name',
    'phone_mobile',
    'stage',
    'source',
    'imported_at',
  ],
  linkedProjectId: null,
  linkedUnitId: null,
};

export const BATCH_MAX_COUNT = 1_000;

export const ContactBatch = Type.Object(
  {
    contacts: Type.Array(Type.Unsafe<ContactImport>({ $ref: 'ContactImport#' }), {
      minItems: 1,
      maxItems: BATCH_MAX_COUNT,
      description: 'Import requests, in the order in which they are imported.',
    }),
  },
  {
    $id: 'ContactBatch',
    description: 'Leads that are imported together.',
    examples: [{ contacts: [EXAMPLE, { email: 'tama', tags: 'Brochure, Open home' }] }],
  },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
const index = Type.Integer({ minimum: 0, description: 'The place in `contacts`, from 0.' });

export const ContactBatchResult = Type.Object(
  {
    summary: Type.Object({
      created: count('Contacts that were created.'),
      merged: count('Imports that filled in a contact, or changed nothing on it.'),
      refused: count('Imports that were refused, and changed nothing.'),
    }),
    results: Type.Array(
      Type.Union([
        Type.Object({ index, ...ContactImportResult.properties }),
        Type.Object({
          index,
          problem: Type.Unsafe<ProblemBody>({
            $ref: 'Problem#',
            description: 'Why it was refused.',
          }),
        }),
      ]),
      { description: 'One result for each import, in order.' },
    ),
  },
  { $id: 'ContactBatchResult', description: 'What each import did.' },
);
export type ContactBatchResult = Static<typeof ContactBatchResult>;
