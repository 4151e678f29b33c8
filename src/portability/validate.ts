import type { ValidateFunction } from 'ajv/dist/2020.js';
import { createValidator, findFaults, pointTo } from '../platform/fields/index.ts';
import { isStorable } from '../platform/text/index.ts';
import type { Report } from './faults.ts';
import { AccountFile } from './schemas.ts';

// The first load makes the validator: it takes time and memory, and a running service loads nothing.
let validator: ValidateFunction<AccountFile> | undefined;

/** Reports every value of a document that the schema does not allow. */
export function checkSchema(document: unknown, report: Report): void {
  const validate = (validator ??= createValidator().compile<AccountFile>(AccountFile));
  validate(document);
  for (const { pointer, detail } of findFaults(validate.errors)) report(pointer, detail);
}

/** Reports every text that PostgreSQL cannot store. `members` lead to the value. */
export function checkTexts(value: unknown, members: string[], report: Report): void {
  if (typeof value === 'string') {
    if (!isStorable(value))
      report(members.reduce(pointTo, ''), 'must not hold U+0000 or half of a surrogate pair.');
  } else if (typeof value === 'object' && value !== null)
    for (const member in value) {
      members.push(member);
      checkTexts(Reflect.get(value, member), members, report);
      members.pop();
    }
}
