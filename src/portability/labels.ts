import { LABEL_RULE, parseLabel, type Label } from '../contacts/index.ts';
import { listEntries } from './entries.ts';
import type { FaultList } from './faults.ts';
import type { AccountFile } from './schemas.ts';

/**
 * Collects the labels of the tags that a file lists, then those of the tags of its contacts. Returns the label of each spelling.
 * It normalizes each spelling once, since many contacts share few tags.
 */
export function gatherLabels(
  { tags, contacts }: AccountFile,
  faults: FaultList,
): Map<string, Label> {
  const listed = listEntries(tags, '/tags').map(({ pointer, entry }) => {
    return { pointer: `${pointer}/label`, entry: entry.label };
  });
  const named = listEntries(contacts, '/contacts').flatMap(({ pointer, entry }) =>
    listEntries(entry.tags, `${pointer}/tags`),
  );
  const labels = new Map<string, Label>();
  for (const { pointer, entry: text } of [...listed, ...named]) {
    if (text === undefined || labels.has(text)) continue;
    const label = parseLabel(text);
    if (label === null) faults.report(pointer, LABEL_RULE);
    else labels.set(text, label);
  }
  return labels;
}
