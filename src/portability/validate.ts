import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isEmail, isStorable, isUuid } from '../platform/text/index.ts';
import { explain } from './explain.ts';
import { below, type Report } from './faults.ts';
import { toDay, toInstant } from './instants.ts';
import { AccountFile } from './schema.ts';

// Made when it is needed: it takes a tenth of a second and ten megabytes, and a service that runs loads nothing.
let validator: ValidateFunction<AccountFile> | undefined;

function makeValidator(): ValidateFunction<AccountFile> {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true });
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('idn-email', (text: string) => isEmail(text.trim()));
  ajv.addFormat('date', (text: string) => toDay(text) !== null);
  ajv.addFormat('date-time', (text: string) => toInstant(text) !== null);
  return ajv.compile<AccountFile>(AccountFile);
}

/** Reports every place of a document that the schema does not allow. */
export function checkSchema(document: unknown, report: Report): void {
  const validate = (validator ??= makeValidator());
  if (!validate(document)) for (const error of validate.errors ?? []) explain(error, report);
}

/** Reports every text that no database can hold; `members` lead to the value. */
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
