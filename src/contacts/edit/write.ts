import { lockRevision, raiseRevision } from '../../accounts/index.ts';
import { appendEvents, compareRows, type Author } from '../../events/index.ts';
import { splitIntoChunks, type Queryable } from '../../platform/database/index.ts';
import { newId } from '../../platform/text/index.ts';
import { listContactEvents, type ContactStep } from '../events.ts';
import { CONTACT } from '../rules.ts';
import { writeChanges, type WritableChanges } from '../changes-store.ts';
import { ensureTags, requireTagId } from '../tag-store.ts';
import type { Edit } from './rules.ts';
import { removeTagsAndLinks } from './store.ts';

/**
 * Writes edits with their events. Each edit is of another contact. The caller holds the locks of the emails.
 */
export async function writeEdits(
  tx: Queryable,
  accountId: string,
  edits: Edit[],
  { author, now }: { author: Author; now: Date },
): Promise<void> {
  const labels = edits.flatMap(({ addedTags }) => addedTags);
  // Tags are inserted after the revision is locked. An edit that adds none locks it when it raises it.
  if (labels.length > 0) await lockRevision(tx, accountId);
  const tagIds = await ensureTags(tx, accountId, labels);
  const chunks = splitIntoChunks(edits, CHUNK_MAX_EDITS).map((chunk) => ({
    chunk,
    events: chunk.flatMap((edit) => listContactEvents(toStep(edit, tagIds))),
  }));
  let rows = edits.length;
  let events = chunks.reduce((sum, each) => sum + each.events.length, 0);
  const raised = await raiseRevision(tx, accountId, now, { rows, events });
  for (const each of chunks) {
    const { chunk } = each;
    rows -= chunk.length;
    events -= each.events.length;
    await removeTagsAndLinks(tx, accountId, {
      tags: chunk.flatMap(({ removedTags }) => removedTags),
      links: chunk.flatMap(({ removedLinks }) => removedLinks),
    });
    await writeChanges(tx, accountId, toChanges(chunk, tagIds), { ...raised, laterCount: rows });
    const authored = [{ author, events: each.events }];
    await appendEvents(tx, accountId, authored, { ...raised, at: now, laterCount: events });
  }
}

/** The most edits of one chunk. A chunk takes some milliseconds; between two chunks, other requests are served. */
const CHUNK_MAX_EDITS = 500;

function toStep({ before, after, ...edit }: Edit, tagIds: Map<string, string>): ContactStep {
  return {
    contactId: after.id,
    isNew: false,
    ...compareRows(CONTACT, before.contact, after),
    tags: edit.addedTags.map(({ key, label }) => ({ id: requireTagId(tagIds, key), label })),
    links: edit.addedLinks,
    removedTags: edit.removedTags.map(({ tagId, label }) => ({ id: tagId, label })),
    removedLinks: edit.removedLinks,
    activities: [],
    importId: null,
  };
}

function toChanges(edits: Edit[], tagIds: Map<string, string>): WritableChanges {
  return {
    inserted: [],
    updated: edits.map(({ after }) => after),
    tags: edits.flatMap(({ after, addedTags }) =>
      addedTags.map(({ key }) => ({
        id: newId(),
        contactId: after.id,
        tagId: requireTagId(tagIds, key),
      })),
    ),
    activities: [],
    links: edits.flatMap(({ addedLinks }) => addedLinks),
    redated: [],
  };
}
