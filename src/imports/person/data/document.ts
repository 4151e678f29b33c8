import { Type } from 'typebox';
import {
  ACTIVITY_EXAMPLE,
  CONTACT_EXAMPLE,
  CONTACT_PARAMS,
  LINK_EXAMPLE,
} from '../../../contacts/index.ts';
import { EXAMPLE_CHANGE, EXAMPLE_EVENT } from '../../../events/index.ts';
import { nullable } from '../../../platform/fields/index.ts';
import { problemResponses, RATE_LIMIT_FIELDS } from '../../../platform/http/index.ts';
import { RETRIED } from '../../log/document.ts';

const listOf = (name: string, description: string) =>
  Type.Array(Type.Ref(`${name}#`), { description });

export const PersonData = Type.Object(
  {
    contact: Type.Ref('Contact#'),
    mergedIds: Type.Array(Type.String({ format: 'uuid' }), {
      description: 'The contacts that were merged into it.',
    }),
    activities: listOf('Activity', 'All activities, the newest first.'),
    changes: listOf('Change', 'All changes, the newest first.'),
    imports: listOf(
      'ImportDetail',
      'The imports that created or filled the contact, and the refused ones with its email, the oldest first.',
    ),
    events: listOf('Event', 'The events that are kept, the oldest first.'),
    views: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        resource: Type.String({ description: 'The list that the view filters.' }),
        name: nullable('string', 'Its name; null when that does not name the person.'),
        q: nullable('string', 'Its search; null when that does not name the person.'),
      }),
      {
        description:
          'The saved views that name the person by an email, name or phone that they have or had. Private views of other people are among them; these members are all that is shown of them.',
      },
    ),
    files: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid', description: 'The `fileId` of the import log.' }),
        name: Type.String(),
      }),
      {
        description:
          'The contact files and imports of files whose name names the person, and the uploaded files that have their email and are not imported yet.',
      },
    ),
  },
  { $id: 'PersonData', description: 'All data that the service has about a person.' },
);

const at = '2026-11-25T03:04:05.678Z';
const EXAMPLE = {
  contact: {
    ...CONTACT_EXAMPLE,
    links: [LINK_EXAMPLE],
    provenance: { phone: { at, actor: EXAMPLE_CHANGE.actor } },
  },
  mergedIds: [],
  activities: [ACTIVITY_EXAMPLE],
  changes: [EXAMPLE_CHANGE],
  imports: [RETRIED],
  events: [EXAMPLE_EVENT],
  views: [
    {
      id: '0196a24b-34ec-7db6-924f-03249bebad2a',
      resource: 'contacts',
      name: null,
      q: 'mereana.pou@example.com',
    },
  ],
  files: [],
};

export const dataDocument = {
  operationId: 'getContactData',
  tags: ['Exports'],
  summary: "Export a person's data",
  description:
    'All data that the service has about a person, as one file: the contact with its tags, links and the sources of its fields, its ' +
    'activities and changes, what the import log keeps, events, and the saved views and files that name the person.',
  params: CONTACT_PARAMS,
  response: {
    200: {
      description: 'The file. When the connection breaks off, the file is incomplete.',
      headers: {
        'Content-Disposition': { type: 'string', description: 'The name of the file.' },
        ...RATE_LIMIT_FIELDS,
      },
      content: { 'application/json': { schema: Type.Ref('PersonData#'), example: EXAMPLE } },
    },
    ...problemResponses(['contact_not_found', 'confirmation_required']),
  },
};
