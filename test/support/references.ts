import { uuidv7 } from 'uuidv7';
import type { ProblemCode } from '../../src/platform/http/index.ts';
import { LIVE } from './developer.ts';
import type { Endpoint, Place } from './endpoints.ts';
import { EXAMPLE_PROJECT, THEIRS } from './neighbours.ts';

/** The ids that a test puts into a place, the code of the refusal, and values for the other fields. */
interface Reference {
  foreign: string;
  /** An id of no account, of the same length. */
  unknown: string;
  code: ProblemCode;
  /** The values that a reference needs in other fields, such as the project of a unit. */
  beside: Record<string, string>;
  /** The same for a request in the account that has the row. */
  besideTheirs: Record<string, string>;
}

const alone = { beside: {}, besideTheirs: {} };
const unit = {
  unknown: uuidv7(),
  code: 'unit_not_in_project',
  beside: { projectId: LIVE },
} as const;
const project = {
  foreign: THEIRS.project,
  unknown: uuidv7(),
  code: 'project_not_available',
} as const;
/** The references to try, by the name of the place. A new place needs an entry here. */
export const REFERENCES: Record<string, Reference[]> = {
  slug: [{ foreign: 'theirs', unknown: 'nobody', code: 'project_not_found', ...alone }],
  projectId: [
    { ...project, ...alone },
    { ...project, beside: { unitId: THEIRS.unit }, besideTheirs: { unitId: THEIRS.unit } },
  ],
  'path projectId': [
    { foreign: EXAMPLE_PROJECT, unknown: uuidv7(), code: 'project_not_found', ...alone },
  ],
  'DELETE path projectId': [
    { foreign: THEIRS.draft, unknown: uuidv7(), code: 'project_not_found', ...alone },
  ],
  'path unitId': [{ foreign: THEIRS.unit, unknown: uuidv7(), code: 'unit_not_found', ...alone }],
  // A row of a batch names its unit.
  id: [{ foreign: THEIRS.unit, unknown: uuidv7(), code: 'batch_refused', ...alone }],
  unitId: [
    { ...unit, foreign: THEIRS.unit, besideTheirs: { projectId: THEIRS.project } },
    { ...unit, foreign: THEIRS.unitOfLive, besideTheirs: { projectId: LIVE } },
  ],
  userId: [{ foreign: THEIRS.user, unknown: uuidv7(), code: 'user_not_found', ...alone }],
  eventId: [{ foreign: THEIRS.event, unknown: uuidv7(), code: 'event_not_found', ...alone }],
  keyId: [{ foreign: THEIRS.key, unknown: uuidv7(), code: 'key_not_found', ...alone }],
  webhookId: [{ foreign: THEIRS.webhook, unknown: uuidv7(), code: 'webhook_not_found', ...alone }],
  deliveryId: [
    { foreign: THEIRS.delivery, unknown: uuidv7(), code: 'delivery_not_found', ...alone },
  ],
  importId: [{ foreign: THEIRS.import, unknown: uuidv7(), code: 'import_not_found', ...alone }],
  contactId: [{ foreign: THEIRS.contact, unknown: uuidv7(), code: 'contact_not_found', ...alone }],
  activityId: [
    { foreign: THEIRS.activity, unknown: uuidv7(), code: 'activity_not_found', ...alone },
  ],
  tagId: [{ foreign: THEIRS.tag, unknown: uuidv7(), code: 'tag_not_found', ...alone }],
  fileId: [{ foreign: THEIRS.file, unknown: uuidv7(), code: 'contact_file_not_found', ...alone }],
  viewId: [{ foreign: THEIRS.view, unknown: uuidv7(), code: 'view_not_found', ...alone }],
  sha256: [
    {
      foreign: THEIRS.picture,
      unknown: 'b2'.repeat(32),
      code: 'picture_not_found',
      ...alone,
    },
  ],
  linkId: [{ foreign: THEIRS.link, unknown: uuidv7(), code: 'link_not_found', ...alone }],
  assignedAccountUserId: [
    { foreign: THEIRS.user, unknown: uuidv7(), code: 'user_not_active', ...alone },
  ],
};

/**
 * Returns the key of a place in `REFERENCES`. A parameter of a path has a key of its own when a field of a body with the same
 * name has other values, and that of a DELETE when the row must be one that can be deleted.
 */
export function nameOf({ method, path }: Endpoint, place: Place): string {
  const name = String(place.at(-1));
  const ofPath = path.includes(`:${name}`) ? [`${method} path ${name}`, `path ${name}`] : [];
  return ofPath.find((each) => each in REFERENCES) ?? name;
}

export function referencesOf(endpoint: Endpoint, place: Place): Reference[] {
  const references = REFERENCES[nameOf(endpoint, place)] ?? [];
  // `set` has the values for all rows of a file. It takes no unit, so try only references that need no other field.
  if (place[0] !== 'set') return references;
  return references.filter(({ beside }) => Object.keys(beside).length === 0);
}

/** Makes the request of an endpoint with this id in this place, and these values in the fields next to it. */
export function makeRequest(
  endpoint: Endpoint,
  place: Place,
  id: string,
  beside: Record<string, string>,
) {
  const others = Object.entries(beside).map(([name, value]): [Place, string] => [
    [...place.slice(0, -1), name],
    value,
  ]);
  return endpoint.request([[place, id], ...others]);
}
