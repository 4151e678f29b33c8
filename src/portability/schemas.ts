import { Type, type Static } from 'typebox';
import { OrganizationFields } from '../accounts/index.ts';
import { ActivityFields, ContactFields, EnquiryFields, LinkFields } from '../contacts/index.ts';
import { id, NOT_BLANK, nullable, object, slug } from '../platform/fields/index.ts';
import { ProjectFields, UnitFields } from '../projects/index.ts';
import { UserFields } from '../users/index.ts';

/* These schemas require only the fields that every entry needs. The `rules.ts` of each room knows those that a new row needs. */

const Organization = object(
  OrganizationFields,
  'The developer. May be left out when the account exists.',
);

const User = object(
  { id: Type.Optional(id('Without it the user is found by the email.')), ...UserFields },
  'Someone who works for the developer.',
);

const Unit = object(
  {
    id: Type.Optional(id('Without it the unit is found by its name within the project.')),
    ...UnitFields,
  },
  'One thing for sale in a project.',
);

const Project = object(
  {
    id: Type.Optional(
      id('Without it the project is found by its slug; with it the slug may change.'),
    ),
    ...ProjectFields,
    relatedProjects: Type.Optional(
      Type.Array(slug('The slug of another project of the account.'), {
        description: 'In display order. A file without a revision only adds to them.',
      }),
    ),
    units: Type.Optional(
      Type.Array(Unit, {
        description:
          'In display order. In an export, a unit that is missing is removed, which is refused when a contact is linked ' +
          'to it. A file without a revision removes none.',
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
  'A tag of the account. Tags that contacts name are created, whether they are listed or not.',
);

const Activity = object(
  {
    ...ActivityFields,
    userId: nullable('string', 'The user of the account who recorded it; null for anything else.', {
      format: 'uuid',
    }),
  },
  'Something that happened. Added unless the contact has one with the same type, body and time.',
);

const Link = object(
  LinkFields,
  'What the contact is interested in. Added unless the contact has it.',
);

const Contact = object(
  {
    id: Type.Optional(
      id('Without it the contact is found by the email, when only one contact has it.'),
    ),
    ...ContactFields,
    tags: Type.Optional(
      Type.Array(label('A label.'), { description: 'They are added to those of the contact.' }),
    ),
    activities: Type.Optional(
      Type.Array(Activity, { description: 'They are added to those of the contact.' }),
    ),
    links: Type.Optional(
      Type.Array(Link, { description: 'They are added to those of the contact.' }),
    ),
  },
  'A lead or a client.',
);

const Enquiry = object(
  EnquiryFields,
  'The values of a later lead that differ from those of its contact. Added unless the contact has it.',
);

export const FORMAT = 'offplan-account/1';

const Account = object(
  {
    slug: slug(
      'The name of the account in commands. The account with this slug is updated, or created.',
    ),
    organization: Type.Optional(Organization),
  },
  'The account that is created or updated.',
);

/** The format of an account file, from which `docs/account-file.schema.json` is generated. */
export const AccountFile = object(
  {
    $schema: Type.Optional(
      Type.String({ description: 'The JSON Schema, for editors; it is not stored.' }),
    ),
    format: Type.Enum([FORMAT], { type: 'string', description: 'The version of this format.' }),
    revision: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Only in exports: the last change that the file has. A load refuses to undo a later one, null empties a ' +
          'field, and the lists of a project are whole.',
      }),
    ),
    account: Account,
    users: Type.Optional(Type.Array(User)),
    projects: Type.Optional(Type.Array(Project)),
    tags: Type.Optional(Type.Array(Tag)),
    contacts: Type.Optional(Type.Array(Contact)),
    enquiries: Type.Optional(
      Type.Array(Enquiry, { description: 'Enquiries of contacts that the file lists.' }),
    ),
  },
  'One account of Offplan, as `offplan export` writes it and `offplan load` takes it. A field that is ' +
    'left out stays as it is. In an export, null empties it.',
);

export type AccountFile = Static<typeof AccountFile>;
export type ProjectEntry = Static<typeof Project>;
export type UnitEntry = Static<typeof Unit>;
export type ContactEntry = Static<typeof Contact>;
export type EnquiryEntry = Static<typeof Enquiry>;

/** Creates the JSON Schema of the account file, which docs/account-file.schema.json publishes. */
export function createAccountFileSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Offplan account file',
    ...AccountFile,
  };
}
