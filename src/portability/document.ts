import { AccountFileError, collectFaults, membersOf, type Fault } from './faults.ts';
import { parseJson } from './json.ts';
import type { AccountFile } from './schema.ts';
import { checkSchema, checkTexts } from './validate.ts';

/** An account file, and what is wrong with it so far: what is at the faults has been left out of it. */
export interface ReadFile {
  file: AccountFile;
  faults: Fault[];
}

/** Reads an account file, a JSON text or its parsed value. Throws when it does not name an account at all. */
export function readAccountFile(source: unknown): ReadFile {
  const document = typeof source === 'string' ? parseJson(source) : source;
  const { faults, report } = collectFaults();
  checkSchema(document, report);
  if (!isObject(document) || !isObject(document['account'])) throw new AccountFileError(faults);
  const allowed = without(document, faults);
  checkTexts(allowed, [], report);
  return { file: without(allowed, faults) as AccountFile, faults };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// What is useless without any one of its fields, and so left out as a whole.
const WHOLE =
  /^(.*\/(?:galleryImages|tags|activities|links)\/\d+|.*\/(?:heroImage|logoImage|floorPlanImage))\/.+$/;

/**
 * A copy of a document without what is at the faults, so that the rest can be looked at for more: a field
 * is then absent, and a list's member null.
 */
function without(document: unknown, faults: Fault[]): unknown {
  if (faults.length === 0) return document;
  const copy = copied(document, FORMAT_DEPTH);
  for (const { pointer } of faults) remove(copy, membersOf(pointer.replace(WHOLE, '$1')));
  return copy;
}

/** How deep the format nests, and more. */
const FORMAT_DEPTH = 16;

// What is deeper is at a fault, and never looked at: to follow it would take all of the stack.
function copied(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((each) => copied(each, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, copied(each, depth - 1)]),
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
