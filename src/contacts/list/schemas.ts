import { Type, type TSchema } from 'typebox';
import { instant, nullable, time } from '../../platform/fields/index.ts';
import { describePage } from '../../platform/http/index.ts';
import { ContactFields } from '../schemas.ts';

const { email: _email, createdAt: _, importedAt: __, archivedAt: ___, ...fields } = ContactFields;

const ContactTag = Type.Object(
  { id: Type.String({ format: 'uuid' }), label: Type.String({ examples: ['Hot'] }) },
  { $id: 'ContactTag', description: 'A tag of a contact.' },
);

const ContactLink = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    projectId: Type.String({ format: 'uuid' }),
    unitId: nullable('string', 'A unit of that project.', { format: 'uuid' }),
    createdAt: time('When the contact was linked.'),
  },
  { $id: 'ContactLink', description: 'A project, or a unit in it, that a contact is linked to.' },
);

export const Contact = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    ...(fields as Record<string, TSchema>),
    tags: Type.Array(Type.Ref('ContactTag#')),
    links: Type.Optional(
      Type.Array(Type.Ref('ContactLink#'), { description: 'In lists with `include=links`.' }),
    ),
    importedAt: instant('When the contact was first imported.'),
    createdAt: time('When the contact was created, here or in another system.'),
    updatedAt: time('When the contact changed last.'),
    archivedAt: instant('When the contact was archived; null when it is active.'),
    lastActivityAt: time(
      'When the last activity happened; without an activity, the time in `createdAt`.',
    ),
    etag: Type.String({ description: 'The version, as in the header `ETag`.' }),
    activities: Type.Optional(
      Type.Array(Type.Ref('Activity#'), {
        description:
          'With `include=activities`: the latest 20, the newest first; fewer when they have 4 MiB.',
      }),
    ),
    provenance: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: {
          type: 'object',
          required: ['at', 'actor'],
          properties: { at: { type: 'string', format: 'date-time' }, actor: Type.Ref('Actor#') },
        },
        description:
          'With `include=provenance`: when each field changed last, and by whom, as far as the changes are known.',
      }),
    ),
  },
  { $id: 'Contact', description: 'A contact.' },
);

const ContactList = describePage('Contact', 'A page of contacts.');

export const LIST_SCHEMAS = [ContactTag, ContactLink, Contact, ContactList];
