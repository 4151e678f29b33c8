import { blocksOf } from './blocks.ts';
import { cutLine } from './cut.ts';
import type { Row } from './rows.ts';

/** The rows of NDJSON from a line on, many at a time; blank ones are left out. Throws as `blocksOf` does. */
export async function* readNdjson(
  pieces: AsyncIterable<Buffer>,
  fromLine: number,
): AsyncGenerator<Row[]> {
  for await (const { bytes, rows } of blocksOf(pieces, cutLine)) {
    const wanted = rows.filter(({ line, isBlank }) => line >= fromLine && !isBlank);
    if (wanted.length > 0)
      yield wanted.map(({ line, start, end }) => toRow(line, bytes.toString('utf8', start, end)));
  }
}

function toRow(line: number, text: string): Row {
  try {
    return { line, text, value: valueOf(JSON.parse(text)), fault: null };
  } catch {
    return { line, text, value: null, fault: 'The line is not valid JSON' };
  }
}

// What was no JSON stands as a text in the report of an earlier import: where it is mended it is read.
function valueOf(value: unknown): unknown {
  const { offplan_text: text } = (value ?? {}) as { offplan_text?: unknown };
  return typeof text === 'string' ? JSON.parse(text) : value;
}
