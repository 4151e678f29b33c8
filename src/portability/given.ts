import { toDay, toInstant } from './instants.ts';

/** A member of a list of the file, and where it is there. */
export interface Item<T> {
  at: number;
  item: T;
}

/** The members of a list that may be absent, without those that were left out for a fault. */
export function items<T>(list: readonly T[] | undefined): Item<T>[] {
  const found: Item<T>[] = [];
  for (const [at, item] of (list ?? []).entries()) if (item !== null) found.push({ at, item });
  return found;
}

const toLowerCase = (text: string): string => text.toLowerCase();
const trimmed = (text: string): string => text.trim();
const keyOf = ({ key }: { key: string }): string => key;
const keysOf = (images: { key: string }[]): string[] => items(images).map(({ item }) => item.key);

// How the fields that are not stored as they are given are stored.
const STORED: Record<string, (value: never) => unknown> = {
  id: toLowerCase,
  projectId: toLowerCase,
  unitId: toLowerCase,
  assignedAccountUserId: toLowerCase,
  email: trimmed,
  estimatedCompletionDate: (text: string) => toDay(text) ?? toInstant(text),
  importedAt: toInstant,
  archivedAt: toInstant,
  occurredAt: toInstant,
  logoImage: keyOf,
  heroImage: keyOf,
  floorPlanImage: keyOf,
  galleryImages: keysOf,
};

/** What an entry of the file gives of these fields, as it is stored; what is absent there is absent here. */
export function given<Row extends object>(
  entry: object,
  fields: readonly (keyof Row & string)[],
): Partial<Row> {
  const row: Partial<Row> = {};
  for (const field of fields) {
    const value: unknown = Reflect.get(entry, field);
    if (value !== undefined) Object.assign(row, { [field]: stored(field, value) });
  }
  return row;
}

function stored(field: string, value: unknown): unknown {
  const convert = STORED[field];
  return value === null || convert === undefined ? value : convert(value as never);
}

/** Whether any field that is given differs from what is stored. */
export function differs<Row extends object>(row: Row, change: Partial<Row>): boolean {
  for (const field in change) if (!isSame(row[field], change[field])) return true;
  return false;
}

function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
