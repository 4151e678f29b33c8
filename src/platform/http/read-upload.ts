import { Problem } from './problems.ts';

/** A client that sends nothing for this long gets a 408. */
const STALL_MS = 10_000;

/** Reads a body as it arrives. Throws a 408 when the client pauses, or takes longer than `maxMs` in all. */
export async function* readUpload(
  body: AsyncIterable<Buffer>,
  { thing, maxMs }: { thing: string; maxMs: number },
): AsyncGenerator<Buffer> {
  const endMs = performance.now() + maxMs;
  const tooSlow = () =>
    new Problem('request_timeout', `Send the whole ${thing} without a pause.`, {
      headers: { connection: 'close' },
    });
  // A `for await` would destroy the stream at an error, and with it the connection and the answer.
  const parts = body[Symbol.asyncIterator]();
  for (;;) {
    const part = await withinTime(parts.next(), STALL_MS, tooSlow);
    if (part.done === true) return;
    if (performance.now() > endMs) throw tooSlow();
    yield part.value;
  }
}

/** Waits for work at most this long; then it throws the problem. The work goes on. */
export async function withinTime<T>(
  work: Promise<T>,
  maxMs: number,
  makeProblem: () => Problem,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  using _timer = setTimeout(() => reject(makeProblem()), maxMs);
  return await Promise.race([work, late]);
}
