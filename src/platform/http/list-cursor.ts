import { createHash } from 'node:crypto';
import { isStorable, isUuid, parseJsonList } from '../text/index.ts';
import { Problem } from './problems.ts';

/** A position in a list: the sort value and the id of the last row before it. */
export interface ListPlace {
  value: string | number | null;
  id: string;
}

/** Hashes a sort and a filter to 8 characters. A cursor carries the hash, so that it works only with the same sort and filter. */
export const makeFingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 8);

/** Writes a position as an opaque cursor. `readCursor` refuses it with another fingerprint. */
export function writeCursor({ value, id }: ListPlace, fingerprint: string): string {
  return Buffer.from(JSON.stringify([fingerprint, value, id])).toString('base64url');
}

/** Reads a cursor. Throws a 400 when it was made for another list, sort or filter; `rule` is the detail of the 400. */
export function readCursor(cursor: string, fingerprint: string, rule?: string): ListPlace {
  const [own, value, id] = parseJsonList(Buffer.from(cursor, 'base64url').toString());
  const isText = typeof value === 'string' && isStorable(value);
  const isValue = value === null || isText || typeof value === 'number';
  if (own === fingerprint && isValue && typeof id === 'string' && isUuid(id)) return { value, id };
  throw cursorInvalid(rule);
}

/** Makes the 400 of a cursor that is not one of this list. */
export function cursorInvalid(
  rule = 'cursor must be the nextCursor of a page with the same sort and filter.',
): Problem {
  return new Problem('cursor_invalid', rule);
}
