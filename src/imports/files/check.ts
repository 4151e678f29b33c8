import { blocksOf } from './blocks.ts';
import { cutLine, cutterOf } from './cut.ts';
import type { ContactsFile } from './open.ts';

/**
 * Reads a file to its end without reading its cells, and counts the rows that `readRows` would give. Throws what
 * that would throw.
 */
export async function checkFile(
  { layout, pieces }: ContactsFile,
  fromLine = 1,
): Promise<{ rows: number }> {
  const isCsv = layout.format === 'csv';
  const first = isCsv ? Math.max(fromLine, layout.firstLine) : fromLine;
  const cut = isCsv ? cutterOf(layout.delimiter) : cutLine;
  let count = 0;
  for await (const { rows } of blocksOf(pieces, cut))
    for (const { line, isBlank } of rows) if (line >= first && !isBlank) count += 1;
  return { rows: count };
}
