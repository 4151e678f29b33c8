import { valueOfRow, type CsvReading } from '../files/read-rows.ts';
import type { FileShape } from '../submission.ts';

/** What a payload holds, to be read as an import request; undefined when it cannot be read. */
export function valueOf(payload: string, file: FileShape | null): unknown {
  try {
    if (file === null || file.delimiter === null) return JSON.parse(payload);
    const { delimiter, fields } = file;
    return valueOfRow(payload, { delimiter, fields: fields as CsvReading['fields'] });
  } catch {
    return undefined;
  }
}
