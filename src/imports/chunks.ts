import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Import } from './submission.ts';

/** A chunk of this size takes a few milliseconds. Between two chunks, other requests are served. */
const CHUNK_MAX_IMPORTS = 50;
/** The most characters of payloads in a chunk of several imports. */
const CHUNK_MAX_CHARACTERS = 256 * 1024;

/** Cuts imports into chunks that take a few milliseconds each. */
export function splitImports(imports: Import[]): Import[][] {
  const chunks: Import[][] = [];
  let characters = 0;
  for (const each of imports) {
    const chunk = chunks.at(-1);
    characters += each.payload.length;
    if (
      chunk !== undefined &&
      chunk.length < CHUNK_MAX_IMPORTS &&
      characters <= CHUNK_MAX_CHARACTERS
    )
      chunk.push(each);
    else {
      chunks.push([each]);
      characters = each.payload.length;
    }
  }
  return chunks;
}

/** Calls `work` with each chunk in order, and returns the results. Yields to the event loop between two chunks, so that other requests are served. */
export async function mapChunks<Chunk, Done>(
  chunks: Chunk[],
  work: (chunk: Chunk) => Done,
): Promise<Done[]> {
  const done: Done[] = [];
  for (const chunk of chunks) {
    if (done.length > 0) await yieldToEventLoop();
    done.push(work(chunk));
  }
  return done;
}
