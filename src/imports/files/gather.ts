export const PIECE_SIZE = 64 * 1024;

/** Bytes in pieces of at least `size`, but for the last: whoever writes to a pipe decides how it is cut. */
export async function* gather(
  chunks: AsyncIterable<Uint8Array>,
  size = PIECE_SIZE,
): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < size) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
