/** A reason that refused rows. */
export interface RefusalReason {
  reason: string;
  count: number;
  /** The lines of its first rows in the file. */
  lines: string[];
}

const LINES_MAX_COUNT = 5;

/** The beginning of a row of a report: the line, the code and the reason, which is one line. */
const ROW = /^(\d+)([,;|\t])[a-z_]+\2(?:"((?:[^"]|"")*)"|([^,;|\t]*))\2/;

/**
 * Groups the rows of a report of refused rows by their reason, the most frequent first. The cells after the reason may be
 * written in any way and have several lines; these do not begin as a row does.
 */
export async function groupReasons(report: ReadableStream<Uint8Array>): Promise<RefusalReason[]> {
  const reasons = new Map<string, RefusalReason>();
  for await (const text of readLines(report)) {
    const [, line, , quoted, plain = ''] = ROW.exec(text) ?? [];
    if (line === undefined) continue;
    const reason = quoted?.replaceAll('""', '"') ?? plain;
    const found = reasons.get(reason) ?? { reason, count: 0, lines: [] };
    reasons.set(reason, found);
    found.count += 1;
    if (found.lines.length < LINES_MAX_COUNT) found.lines.push(line);
  }
  return [...reasons.values()].toSorted((a, b) => b.count - a.count);
}

async function* readLines(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let begun = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = `${begun}${decoder.decode(value, { stream: !done })}`.split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
    if (done) break;
  }
  yield begun;
}
