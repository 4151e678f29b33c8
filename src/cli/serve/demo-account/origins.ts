import type { Author } from '../../../events/index.ts';
import type { AccountFile, ContactEntry, ContactOrigin } from '../../../portability/index.ts';

/** The sources whose leads a person types in. All other leads come from the website. */
const BY_PERSON = new Set(['Open Home', 'Referral', 'Agent']);

/** Finds who created each contact, and when: the website by its key, or the person who met the lead. */
export function findOrigins(
  contacts: ContactEntry[],
  users: NonNullable<AccountFile['users']>,
  keyId: string,
): Map<string, ContactOrigin> {
  const website: Author = { actor: { type: 'key', id: keyId }, requestId: null };
  const people = new Map(users.map(({ id = '' }) => [id, makeAuthor(id)]));
  return new Map(
    contacts.map(({ id = '', createdAt, source, activities = [], assignedAccountUserId }) => {
      const met = activities.find(({ userId }) => userId != null)?.userId ?? assignedAccountUserId;
      const person = BY_PERSON.has(source ?? '') ? people.get(met ?? '') : undefined;
      return [id, { author: person ?? website, at: new Date(createdAt ?? '') }];
    }),
  );
}

/** Makes a person the author of events. */
export const makeAuthor = (userId: string): Author => ({
  actor: { type: 'user', id: userId },
  requestId: null,
});
