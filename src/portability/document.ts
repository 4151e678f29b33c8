import type { ValidateFunction } from 'ajv/dist/2020.js';
import { createValidator, findFaults, pointTo } from '../platform/fields/index.ts';
import { isStorable } from '../platform/text/index.ts';
import { FaultList } from './faults.ts';
import { parseJson } from './json.ts';
import { AccountFile } from './schemas.ts';

// The first load makes the validator: it takes time and memory, and a running service loads nothing.
let validate: ValidateFunction | undefined;

/** An account file without the values at its faults, and these faults. */
export interface ReadFile {
  file: AccountFile;
  faults: FaultList;
}

/**
 * Reads an account file: a JSON text, or its parsed value, from which it removes the values with faults. Throws when the
 * file has no account object.
 */
export function readAccountFile(source: unknown): ReadFile {
  const document = typeof source === 'string' ? parseJson(source) : source;
  const faults = new FaultList();
  validate ??= createValidator().compile(AccountFile);
  validate(document);
  faults.reportWithin('', findFaults(validate.errors));
  if (faults.has('') || faults.has('/account')) faults.throwIfAny();
  dropFaultyValues(document, '', faults);
  return { file: document as AccountFile, faults };
}

/** Makes each value at a fault undefined. Reports every text that PostgreSQL cannot store. */
function dropFaultyValues(value: unknown, pointer: string, faults: FaultList): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member in value) {
    const place = pointTo(pointer, member);
    const each: unknown = Reflect.get(value, member);
    if (typeof each === 'string' && !isStorable(each))
      faults.report(place, 'must not hold U+0000 or half of a surrogate pair.');
    if (faults.has(place)) Reflect.set(value, member, undefined);
    else dropFaultyValues(each, place, faults);
  }
}
