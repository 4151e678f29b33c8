import type { CellValue, Columns } from '../../platform/http/index.ts';
import { Activity } from '../activities/schemas.ts';
import type { ShownActivity } from '../activities/present.ts';
import { Contact } from '../list/schemas.ts';
import type { ShownContact } from '../list/service.ts';

/** The members of a contact that a list has only when the request includes them. */
const ON_REQUEST = new Set(['links', 'activities', 'provenance']);

/** The names of what the ids of a contact stand for. They are in CSV only, for people who read it in a spreadsheet. */
export interface ContactNames {
  assignedTo?: string | null;
  interestedIn?: string | null;
}

export const CONTACT_COLUMNS: Columns<ShownContact & ContactNames> = {
  names: Object.keys(Contact.properties).flatMap((name) => {
    if (ON_REQUEST.has(name)) return [];
    if (name === 'assignedAccountUserId') return [name, 'assignedTo'];
    return name === 'tags' ? [name, 'interestedIn'] : name;
  }),
  toCells: ({ tags, links: _links, ...fields }) => ({
    ...(fields as Record<string, CellValue>),
    tags: tags.map(({ label }) => label).join(', '),
  }),
};

const ACTOR = ['actor.type', 'actor.id', 'actor.name'];

export const ACTIVITY_COLUMNS: Columns<ShownActivity> = {
  names: Object.keys(Activity.properties).flatMap((name) => (name === 'actor' ? ACTOR : name)),
  toCells: ({ actor, values, ...fields }) => ({
    ...fields,
    values: values && JSON.stringify(values),
    'actor.type': actor.type,
    'actor.id': actor.id,
    'actor.name': actor.name,
  }),
};
