import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { FORMATS } from '../platform/fields/index.ts';
import { isStorable } from '../platform/text/index.ts';
import { explain } from './explain.ts';
import { below, type Report } from './faults.ts';
import { AccountFile } from './schemas.ts';

// The first load makes the validator: it takes time and memory, and a running service loads nothing.
let validator: ValidateFunction<AccountFile> | undefined;

function makeValidator(): ValidateFunction<AccountFile> {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true });
  for (const [name, { validate }] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  return ajv.compile<AccountFile>(AccountFile);
}

/** Reports every value of a document that the schema does not allow. */
export function checkSchema(document: unknown, report: Report): void {
  const validate = (validator ??= makeValidator());
  if (!validate(document)) for (const error of validate.errors ?? []) explain(error, report);
}

/** Reports every text that PostgreSQL cannot store. `members` lead to the value. */
export function checkTexts(value: unknown, members: string[], report: Report): void {
  if (typeof value === 'string') {
    if (!isStorable(value))
      report(members.reduce(below, ''), 'must not hold U+0000 or half of a surrogate pair.');
  } else if (typeof value === 'object' && value !== null)
    for (const member in value) {
      members.push(member);
      checkTexts(Reflect.get(value, member), members, report);
      members.pop();
    }
}
