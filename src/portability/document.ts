import type { Fault } from '../platform/fields/index.ts';
import { AccountFileError, gatherFaults, membersOf } from './faults.ts';
import { parseJson } from './json.ts';
import type { AccountFile } from './schemas.ts';
import { checkSchema, checkTexts } from './validate.ts';

/** An account file without the values at its faults, and these faults. */
export interface ReadFile {
  file: AccountFile;
  faults: Fault[];
}

/** Reads an account file, a JSON text or its parsed value. Throws when the file has no account object. */
export function readAccountFile(source: unknown): ReadFile {
  const document = typeof source === 'string' ? parseJson(source) : source;
  const { faults, report } = gatherFaults();
  checkSchema(document, report);
  if (!isObject(document) || !isObject(document['account'])) throw new AccountFileError(faults);
  const allowed = copyWithout(document, faults);
  checkTexts(allowed, [], report);
  return { file: copyWithout(allowed, faults) as AccountFile, faults };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// An object that is useless without one of its fields: a fault within it leaves out the whole object.
const WHOLE_OBJECT =
  /^(.*\/(?:galleryImages|tags|activities|links)\/\d+|.*\/(?:heroImage|logoImage|floorPlanImage))\/.+$/;

/** Copies a document without the values at the faults: a field is then absent, and an entry of a list is null. */
function copyWithout(document: unknown, faults: Fault[]): unknown {
  if (faults.length === 0) return document;
  const copied = copy(document, MAX_DEPTH);
  for (const { pointer } of faults) remove(copied, membersOf(pointer.replace(WHOLE_OBJECT, '$1')));
  return copied;
}

/** The format nests less deeply than this. */
const MAX_DEPTH = 16;

// A deeper value lies within a fault, so nothing reads it. Copying it could overflow the stack.
function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((each) => copy(each, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, copy(each, depth - 1)]),
  );
}

function remove(document: unknown, members: string[]): void {
  const last = members.at(-1) ?? '';
  const holder = members.slice(0, -1).reduce(memberOf, document);
  if (Array.isArray(holder)) holder[Number(last)] = null;
  else if (isObject(holder)) Reflect.deleteProperty(holder, last);
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;
}
