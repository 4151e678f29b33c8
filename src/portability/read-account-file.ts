import type { ValidateFunction } from 'ajv/dist/2020.js';
import {
  createValidator,
  explainUnstorable,
  findFaults,
  pointTo,
} from '../platform/fields/index.ts';
import { FaultList } from './faults.ts';
import { parseJson } from './json.ts';
import { AccountFile } from './schemas.ts';

// Compiled by the first load: it takes time and memory, and a service without `--demo` never loads a file.
let validate: ValidateFunction | undefined;

/** An account file without its invalid values, and the faults of these values. */
export interface CheckedFile {
  file: AccountFile;
  faults: FaultList;
}

/**
 * Checks an account file: a JSON text, or its parsed value. Replaces each invalid value by undefined. Throws an
 * AccountFileError when the file is not JSON, or has no account object.
 */
export function readAccountFile(source: unknown): CheckedFile {
  const document = typeof source === 'string' ? parseJson(source) : source;
  const faults = new FaultList();
  validate ??= createValidator().compile(AccountFile);
  validate(document);
  faults.reportWithin('', findFaults(validate.errors));
  if (faults.has('') || faults.has('/account')) faults.throwIfAny();
  dropFaultyValues(document, '', faults);
  return { file: document as AccountFile, faults };
}

/** Replaces each invalid value by undefined. Reports each text that PostgreSQL cannot store. */
function dropFaultyValues(value: unknown, pointer: string, faults: FaultList): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member in value) {
    const memberPointer = pointTo(pointer, member);
    const memberValue: unknown = Reflect.get(value, member);
    const detail = typeof memberValue === 'string' ? explainUnstorable(memberValue) : null;
    if (detail !== null) faults.report(memberPointer, detail);
    if (faults.has(memberPointer)) Reflect.set(value, member, undefined);
    else dropFaultyValues(memberValue, memberPointer, faults);
  }
}
