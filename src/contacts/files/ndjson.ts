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
    return { line, text, value: JSON.parse(text) as unknown, fault: null };
  } catch {
    return { line, text, value: null, fault: 'is no JSON' };
  }
}
