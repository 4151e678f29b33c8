import { TAG_MAX_LENGTH } from '../contacts/index.ts';
import { labelKey, lengthOf, normalizeLabel } from '../platform/text/index.ts';
import { below, type Report } from './faults.ts';
import { items } from './given.ts';
import type { AccountFile } from './schema.ts';

interface Label {
  label: string;
  key: string;
}

/** The tags that a file names. */
export interface Labels {
  /** One of each, those that are listed first, each in its first spelling. */
  tags: Label[];
  /** The key of the tag for each label as the file writes it. */
  keyOf: Map<string, string>;
}

/** Gathers the tags that a file lists and those that its contacts name. */
export function gatherLabels(file: AccountFile, report: Report): Labels {
  const byKey = new Map<string, Label>();
  // Few labels are named by many contacts: each is normalised once.
  const keyOf = new Map<string, string>();

  function add(text: string, pointer: () => string): void {
    if (keyOf.has(text)) return;
    const label = normalizeLabel(text);
    if (lengthOf(label) > TAG_MAX_LENGTH)
      return report(pointer(), `must be a label of at most ${TAG_MAX_LENGTH} characters.`);
    const key = labelKey(label);
    keyOf.set(text, key);
    if (!byKey.has(key)) byKey.set(key, { label, key });
  }

  for (const { at, item } of items(file.tags)) add(item.label, () => `/tags/${at}/label`);
  for (const { at, item } of items(file.contacts))
    for (const tag of items(item.tags)) add(tag.item, () => below(`/contacts/${at}/tags`, tag.at));
  return { tags: [...byKey.values()], keyOf };
}
