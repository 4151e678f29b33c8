import type { Contact } from '../api.ts';
import type { components } from '../../client/src/index.ts';
import { readContact } from './rows.ts';

type BulkChange = components['schemas']['BulkChange'];
type Stage = NonNullable<Contact['stage']>;

/** A change of many contacts that a person asks for. */
export type BulkAction =
  | { kind: 'stage'; stage: Stage }
  | { kind: 'assign'; userId: string | null }
  | { kind: 'addTag'; label: string }
  | { kind: 'removeTag'; tagId: string; label: string }
  | { kind: 'archive' };

/** The values of a contact before a change, from which an undo restores them. */
export interface Remembered {
  id: string;
  etag: string;
  stage: Contact['stage'];
  assigned: string | null;
  tags: Contact['tags'];
  isArchived: boolean;
}

/** Takes from a contact the values that an undo restores. */
export function remember(contact: Contact): Remembered {
  return {
    id: contact.id,
    etag: contact.etag,
    stage: contact.stage ?? null,
    assigned: contact.assignedAccountUserId ?? null,
    tags: contact.tags,
    isArchived: contact.archivedAt != null,
  };
}

/** Makes a label comparable with a stored one, nearly as the service does. */
const foldLabel = (label: string): string =>
  label.normalize('NFC').replaceAll(/\s+/g, ' ').toLowerCase();

/** Returns whether an action would change a contact. */
export function isTouched(action: BulkAction, contact: Remembered): boolean {
  switch (action.kind) {
    case 'stage':
      return contact.stage !== action.stage;
    case 'assign':
      return contact.assigned !== action.userId;
    case 'addTag':
      return !contact.tags.some(({ label }) => foldLabel(label) === foldLabel(action.label));
    case 'removeTag':
      return contact.tags.some(({ id }) => id === action.tagId);
    case 'archive':
    default:
      return !contact.isArchived;
  }
}

/** Makes the body of the bulk request, without the contacts. */
export function toChange(action: BulkAction): Omit<BulkChange, 'ids' | 'filter'> {
  switch (action.kind) {
    case 'stage':
      return { set: { stage: action.stage } };
    case 'assign':
      return { set: { assignedAccountUserId: action.userId } };
    case 'addTag':
      return { addTags: [action.label] };
    case 'removeTag':
      return { removeTags: [action.tagId] };
    case 'archive':
    default:
      return { archive: true };
  }
}

/** Makes the requests that undo an action: one for each group of contacts that had the same value. */
export async function toUndo(
  action: BulkAction,
  contacts: readonly Remembered[],
): Promise<{ change: Omit<BulkChange, 'ids' | 'filter'>; ids: string[] }[]> {
  const ids = contacts.map(({ id }) => id);
  switch (action.kind) {
    case 'stage':
      return groupBy(contacts, ({ stage }) => stage ?? null).map(([stage, ids]) => ({
        change: { set: { stage } },
        ids,
      }));
    case 'assign':
      return groupBy(contacts, ({ assigned }) => assigned).map(([userId, ids]) => ({
        change: { set: { assignedAccountUserId: userId } },
        ids,
      }));
    case 'addTag':
      return [{ change: { removeTags: await findNewTags(contacts[0]) }, ids }];
    case 'removeTag':
      return [{ change: { addTags: [action.label] }, ids }];
    case 'archive':
    default:
      return [{ change: { archive: false }, ids }];
  }
}

function groupBy<V>(
  contacts: readonly Remembered[],
  valueOf: (contact: Remembered) => V,
): [V, string[]][] {
  const groups = new Map<V, string[]>();
  for (const contact of contacts) {
    const value = valueOf(contact);
    const group = groups.get(value) ?? [];
    group.push(contact.id);
    groups.set(value, group);
  }
  return [...groups];
}

/** Finds the tags that a contact has got since it was remembered: the service may have stored another spelling of the label. */
async function findNewTags(before: Remembered | undefined): Promise<string[]> {
  const contact = before && (await readContact(before.id));
  const ids = contact?.tags.map(({ id }) => id) ?? [];
  return ids.filter((id) => !before?.tags.some((tag) => tag.id === id));
}
