import type { ErrorObject } from 'ajv/dist/2020.js';
import { below, type Report } from './faults.ts';
import { IMAGE_KEY, NOT_BLANK, SLUG, WEB_URL } from '../platform/fields/index.ts';

type Schema = Record<string, unknown>;

/** Reports a violation of the schema in words: the sentence says which values are right, and never quotes the value. */
export function explain(error: ErrorObject, report: Report): void {
  const { keyword, instancePath, params, parentSchema = {}, data, schemaPath } = error;
  // The fault of the whole anyOf lists all values that are right, so skip the faults of its branches.
  if (/\/anyOf\/\d+\//.test(schemaPath)) return;
  if (keyword === 'required')
    report(below(instancePath, params['missingProperty']), 'is required.');
  else if (keyword === 'additionalProperties')
    report(below(instancePath, params['additionalProperty']), unknownField(parentSchema));
  else {
    const instead = keyword === 'type' ? `; it is ${kindOf(data)}` : '';
    report(instancePath, `must be ${phrase(parentSchema)}${instead}.`);
  }
}

function unknownField({ properties }: Schema): string {
  return `is not a field of the format; the fields here are ${Object.keys(properties ?? {}).join(', ')}.`;
}

const PATTERNS: Record<string, string> = {
  [SLUG]: '1 to 100 lower-case letters (a to z), digits and hyphens',
  [IMAGE_KEY]:
    'a path of at most 1,000 characters, without a leading / and without . or .. as a part',
  [WEB_URL]: 'a web address that begins with https:// or http://',
  [NOT_BLANK]: 'a string that is not blank',
};

const FORMATS: Record<string, string> = {
  uuid: 'a UUID',
  'idn-email': 'an email address such as aroha@example.com, of at most 254 characters',
  date: 'a date such as 2027-06-30',
  'date-time': 'an ISO 8601 date-time with Z or an offset, such as 2026-03-31T21:15:09.204Z',
};

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** Says in words which values a schema allows. */
function phrase(schema: Schema): string {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(values))
    return values.length === 1 ? `"${values[0]}"` : `one of ${list(values)}`;
  if (Array.isArray(anyOf)) return list(anyOf.map(phrase));
  const types = Array.isArray(type) ? type : [type ?? 'string'];
  return list(types.map((each: string) => phraseOfType(each, schema)));
}

function phraseOfType(type: string, schema: Schema): string {
  if (type === 'number') return phraseOfNumber(schema);
  const words = TYPES[type] ?? type;
  if (type !== 'string') return words;
  const { pattern, format, maxLength } = schema;
  if (typeof pattern === 'string') return PATTERNS[pattern] ?? words;
  if (typeof format === 'string') return FORMATS[format] ?? words;
  return typeof maxLength === 'number' ? `${words} of at most ${maxLength} characters` : words;
}

function phraseOfNumber({ minimum, maximum }: Schema): string {
  if (typeof minimum !== 'number') return 'a number';
  return typeof maximum === 'number'
    ? `a number from ${minimum} to ${maximum}`
    : `a number of at least ${minimum}`;
}

function list(words: unknown[]): string {
  const last = String(words.at(-1));
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return (Array.isArray(value) ? TYPES['array'] : TYPES[typeof value]) ?? 'something else';
}
