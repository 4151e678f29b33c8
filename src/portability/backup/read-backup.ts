import { BackupError, END_OF_ROWS } from './format.ts';

const LINE_MAX_BYTES = 1024 * 1024;
const END = Buffer.from(END_OF_ROWS);

/** Reads the text of a backup in order: lines, and the rows of tables between them. */
export interface BackupReader {
  /** Reads a line without its line break; null at the end. */
  readLine: () => Promise<string | null>;
  /** Reads the rows of a table, and the line that ends them. */
  readRows: () => AsyncGenerator<Buffer>;
}

/** Creates the reader of a backup from its chunks. It throws a BackupError for one that is damaged, or was cut off within rows. */
export function createBackupReader(source: AsyncIterable<Buffer>): BackupReader {
  const chunks = source[Symbol.asyncIterator]();
  let buffer: Buffer = Buffer.alloc(0);

  /** Reads another chunk after the remaining bytes. */
  async function readMore(): Promise<boolean> {
    const { done, value } = await chunks.next();
    if (done) return false;
    buffer = buffer.length === 0 ? value : Buffer.concat([buffer, value]);
    return true;
  }

  function take(bytes: number): Buffer {
    const taken = buffer.subarray(0, bytes);
    buffer = buffer.subarray(bytes);
    return taken;
  }

  return {
    async readLine() {
      for (;;) {
        const end = buffer.indexOf('\n');
        if (end !== -1) return take(end + 1).toString('utf8', 0, end);
        const isTooLong = buffer.length > LINE_MAX_BYTES;
        if (!isTooLong && (await readMore())) continue;
        if (buffer.length === 0) return null;
        throw new BackupError('it is not a backup of Offplan, or it is damaged');
      }
    },

    async *readRows() {
      // The end is found by the line break before it, so a table without rows needs one.
      buffer = Buffer.concat([END.subarray(0, 1), buffer]);
      let isFirst = true;
      for (;;) {
        const end = buffer.indexOf(END);
        // The last bytes may begin the end of the rows, so they wait for the next chunk.
        const bytes = end === -1 ? Math.max(buffer.length - END.length, 0) : end + 1;
        const rows = take(bytes);
        const skipped = isFirst && bytes > 0 ? 1 : 0;
        if (bytes > 0) isFirst = false;
        if (rows.length > skipped) yield rows.subarray(skipped);
        if (end !== -1) {
          take(END.length - 1);
          return;
        }
        if (!(await readMore())) throw new BackupError('it was cut off');
      }
    },
  };
}
