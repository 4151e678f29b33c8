import { LABEL_TOO_LONG, readLabel, type Label } from '../contacts/index.ts';
import { listEntries } from './entries.ts';
import type { Report } from './faults.ts';
import type { AccountFile } from './schemas.ts';

/** The tags that a file lists, and those that its contacts name. */
export interface FileTags {
  /** Each tag once, in its first spelling. The listed tags come first. */
  labels: Label[];
  /** The key of the tag by each spelling in the file. */
  keyOf: Map<string, string>;
}

export function gatherTags(file: AccountFile, report: Report): FileTags {
  const byKey = new Map<string, Label>();
  // Many contacts share few tags: normalise each spelling once.
  const keyOf = new Map<string, string>();

  function add(text: string, pointer: () => string): void {
    if (keyOf.has(text)) return;
    const label = readLabel(text);
    if (label === null) return report(pointer(), LABEL_TOO_LONG);
    keyOf.set(text, label.key);
    if (!byKey.has(label.key)) byKey.set(label.key, label);
  }

  for (const { at, entry } of listEntries(file.tags)) add(entry.label, () => `/tags/${at}/label`);
  for (const { at, entry } of listEntries(file.contacts))
    for (const tag of listEntries(entry.tags))
      add(tag.entry, () => `/contacts/${at}/tags/${tag.at}`);
  return { labels: [...byKey.values()], keyOf };
}
