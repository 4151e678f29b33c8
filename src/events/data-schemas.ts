import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { orNull } from '../platform/fields/index.ts';

/**
 * The data of each type of event, without the id of its subject, and the meaning of the type. The data contain no names, emails,
 * phones or texts, so that events need no change when a person is erased.
 */

const id = () => Type.String({ format: 'uuid' });
const idOrNull = () => Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid' });
const textOrNull = () => Type.Unsafe<string | null>({ type: ['string', 'null'] });
const numberOrNull = () => Type.Unsafe<number | null>({ type: ['number', 'null'] });

const changed = Type.Array(Type.String(), {
  description: 'The names of the fields that changed; for a new row, of its filled fields.',
});
const importId = orNull('string', 'The import that caused the event; null when no import did.', {
  format: 'uuid',
});
const slug = Type.String();
const ofContact = { contactId: id(), activityType: Type.String() };
const link = { projectId: id(), unitId: idOrNull() };
const ofProject = { projectId: id() };
const runCounts = { created: Type.Integer(), merged: Type.Integer(), refused: Type.Integer() };
const eventRange = {
  firstSequence: Type.Integer({ description: 'The first event of the run.' }),
  lastSequence: Type.Integer({ description: 'The last event of the run.' }),
};

/** A type of event: its meaning, and its data. */
const event = <Data extends TProperties>(meaning: string, data: Data) => ({ meaning, data });

export const EVENT_KINDS = {
  'contact.created': event('A contact was added, in any way.', { changed, importId }),
  'contact.updated': event('Fields of a contact changed.', { changed, importId }),
  'contact.archived': event('A contact was archived.', {}),
  'contact.restored': event('A contact was restored from the archive.', {}),
  'contact.erased': event('A contact and all data of the person were erased.', {}),
  'contact.merged': event('A contact was merged into another one.', { intoId: id() }),
  'contact.enquired': event('A lead came in, of a new or a known contact.', {
    action: Type.Enum(['created', 'merged'], { type: 'string' }),
    projectId: idOrNull(),
    unitId: idOrNull(),
    importId,
  }),
  'contact.stage_changed': event('A contact got another stage.', {
    from: textOrNull(),
    to: textOrNull(),
  }),
  'contact.assigned': event('A contact was assigned to another person, or to nobody.', {
    from: idOrNull(),
    to: idOrNull(),
  }),
  'contact.tagged': event('A contact got tags.', { tagIds: Type.Array(id()) }),
  'contact.untagged': event('A contact lost tags.', { tagIds: Type.Array(id()) }),
  'contact.linked': event('A contact was linked to a project or a unit.', link),
  'contact.unlinked': event('A contact lost its link to a project or a unit.', link),
  'activity.created': event('An activity of a contact was added.', ofContact),
  'activity.updated': event('An activity of a contact changed.', ofContact),
  'activity.deleted': event('An activity of a contact was deleted.', ofContact),
  'project.created': event('A project was added.', { slug, changed }),
  'project.updated': event('Fields of a project changed.', { slug, changed }),
  'project.published': event('A project went live.', { slug }),
  'project.unpublished': event('A project is a draft again.', { slug }),
  'project.archived': event('A project was archived.', { slug }),
  'project.deleted': event('A project was deleted.', { slug }),
  'unit.created': event('A unit was added.', { ...ofProject, changed }),
  'unit.updated': event('Fields of a unit changed.', { ...ofProject, changed }),
  'unit.deleted': event('A unit was deleted.', ofProject),
  'unit.status_changed': event('A unit got another status.', {
    ...ofProject,
    from: Type.String(),
    to: Type.String(),
  }),
  'unit.price_changed': event('A unit got another price.', {
    ...ofProject,
    from: numberOrNull(),
    to: numberOrNull(),
  }),
  'import.refused': event('A lead was refused.', { code: Type.String() }),
  'contact_file.completed': event('A contact file was imported.', { ...runCounts, ...eventRange }),
  'contact_file.stopped': event('The import of a contact file was stopped.', {
    ...runCounts,
    ...eventRange,
  }),
  'contact_file.undone': event('The import of a contact file was undone.', {
    removed: Type.Integer(),
    kept: Type.Integer(),
    ...eventRange,
  }),
  'user.created': event('A person was added.', { changed }),
  'user.updated': event('Fields of a person changed.', { changed }),
  'user.deactivated': event('A person was deactivated.', {}),
  'key.created': event('A key was made.', {}),
  'key.updated': event('Settings of a key changed.', { changed }),
  'key.rotated': event('A key got a new text.', {}),
  'key.revoked': event('A key was revoked.', {}),
  'organization.created': event('The organization was set up.', { changed }),
  'organization.updated': event('Fields of the organization changed.', { changed }),
  'webhook.created': event('A webhook was made.', { changed }),
  'webhook.updated': event('Settings of a webhook changed.', { changed }),
  'webhook.rotated': event('A webhook got a new secret.', {}),
  'webhook.deleted': event('A webhook was deleted.', {}),
  'webhook.disabled': event(
    'A webhook was disabled, since its endpoint is gone or failed for too long.',
    {
      reason: Type.Enum(['failing', 'gone'], {
        type: 'string',
        description: '`gone`: the endpoint answered 410. `failing`: it failed for too long.',
      }),
    },
  ),
  'webhook.test': event('Somebody sent a test event to a webhook.', {}),
};

export type EventType = keyof typeof EVENT_KINDS;
export const EVENT_TYPES = Object.keys(EVENT_KINDS) as EventType[];

type DataOf<Data extends TProperties> = keyof Data extends never
  ? Record<string, never>
  : Static<TObject<Data>>;

/** The data of each type of event, without the id of its subject. */
export type EventData = { [Name in EventType]: DataOf<(typeof EVENT_KINDS)[Name]['data']> };
