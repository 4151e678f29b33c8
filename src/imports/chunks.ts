import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Problem } from '../platform/http/index.ts';
import type { Import } from './submission.ts';

/** A chunk with this many leads takes a few milliseconds. Between two chunks, other requests are served. */
const CHUNK_MAX_LEADS = 50;
/** The most imports of a chunk, with those that were refused when they were read. */
const CHUNK_MAX_IMPORTS = 60;
/** The most characters of payloads in a chunk of several imports. */
const CHUNK_MAX_CHARACTERS = 256 * 1024;

/**
 * Cuts imports into chunks that take a few milliseconds each. Imports without a lead do not count, so that most chunks have as many
 * leads as one statement inserts.
 */
export function splitImports(imports: Import[]): Import[][] {
  const chunks: Import[][] = [];
  let leads = 0;
  let characters = 0;
  for (const each of imports) {
    const chunk = chunks.at(-1);
    const weight = each.lead instanceof Problem ? 0 : 1;
    leads += weight;
    characters += each.payload.length;
    if (
      chunk !== undefined &&
      chunk.length < CHUNK_MAX_IMPORTS &&
      leads <= CHUNK_MAX_LEADS &&
      characters <= CHUNK_MAX_CHARACTERS
    )
      chunk.push(each);
    else {
      chunks.push([each]);
      leads = weight;
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
