import { LABEL_TOO_LONG, parseLabel, type Label } from '../contacts/index.ts';
import { listEntries } from './entries.ts';
import type { FaultList } from './faults.ts';
import type { AccountFile } from './schemas.ts';

/**
 * Reads the label of each tag that a file lists or that its contacts name. Gives them by their spellings, first those of
 * the listed tags: many contacts share few tags, so each spelling is normalised once.
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
    if (label === null) faults.report(pointer, LABEL_TOO_LONG);
    else labels.set(text, label);
  }
  return labels;
}
