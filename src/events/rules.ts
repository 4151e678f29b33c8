import { listFieldChanges } from '../platform/fields/index.ts';
import type { FieldValues } from './types.ts';

/** Compares two states of a row. Returns the values of the fields that differ. For a new row, these are its filled fields. */
export function compareRows(
  kind: Parameters<typeof listFieldChanges>[0],
  before: object | undefined,
  after: object,
): FieldValues {
  const values: FieldValues = { before: {}, after: {} };
  for (const { field, from, to } of listFieldChanges(kind, before ?? {}, after)) {
    if (isFilled(from)) values.before[field] = from;
    if (isFilled(to)) values.after[field] = to;
  }
  return values;
}

/** Does as `compareRows` for fields that belong to no kind of row. A null or missing field has no value. */
export function compareValues(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): FieldValues {
  const values: FieldValues = { before: {}, after: {} };
  for (const [field, to] of Object.entries(after)) {
    const from = before[field] ?? null;
    if (JSON.stringify(from) === JSON.stringify(to)) continue;
    if (from !== null) values.before[field] = from;
    if (to != null) values.after[field] = to;
  }
  return values;
}

function isFilled(value: unknown): boolean {
  return value != null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Lists the names of the fields that changed. */
export function listFields({ before, after }: FieldValues): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}
