import { lockAccount } from '../../accounts/index.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import { formatEtag, invalidRequest, Problem } from '../../platform/http/index.ts';
import { newId } from '../../platform/text/index.ts';
import { LABEL_RULE, parseLabel } from '../rules.ts';
import type { Label } from '../schemas.ts';
import type { Tag } from './schemas.ts';
import { countTags, insertTag, type StoredTag } from './store.ts';

const TAGS_MAX = 5_000;

export function presentTag(
  { id, label, version }: Pick<StoredTag, 'id' | 'label' | 'version'>,
  contactCount: number,
): Tag {
  return { id, label, contactCount, etag: formatEtag(version) };
}

/** Parses the label of a tag. Throws when it is empty or too long. */
export function requireLabel(text: string): Label {
  const parsed = parseLabel(text);
  if (parsed === null) throw invalidRequest([{ pointer: '/label', detail: `label ${LABEL_RULE}` }]);
  return parsed;
}

export function labelTaken(): Problem {
  return new Problem('label_taken', 'The account has a tag with this label.');
}

/** Creates a tag that no contact has yet. */
export function createTag(db: Pool, accountId: string, text: string): Promise<Tag> {
  const parsed = requireLabel(text);
  const id = newId();
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    if ((await countTags(tx, accountId)) >= TAGS_MAX)
      throw new Problem(
        'limit_reached',
        `An account with ${TAGS_MAX} tags or more gets more tags by imports only.`,
      );
    if (!(await insertTag(tx, accountId, { ...parsed, id }))) throw labelTaken();
    return presentTag({ id, label: parsed.label, version: 1 }, 0);
  });
}
