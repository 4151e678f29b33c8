import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isInexactNumber, isStorable } from '../text/index.ts';
import { FORMATS } from './formats.ts';
import type { FieldFault } from './rows.ts';
import { IMAGE_KEY, NONE_ONLY, NOT_BLANK, REQUEST_URL, SLUG, WEB_URL } from './schemas.ts';

/** Creates the validator of requests and files. It changes no value, reports every fault, and knows the formats of fields. */
export function createValidator(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    // The tests find a wrong schema. Checking the schemas against the meta-schema would delay each start.
    validateSchema: false,
  });
  for (const [name, { validate }] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  return ajv;
}

/**
 * Converts the errors of Ajv to faults. A detail says which values are valid. It neither names the field nor quotes the value.
 */
export function findFaults(errors: ErrorObject[] | null | undefined): FieldFault[] {
  const all = errors ?? [];
  const enums = all.filter(({ keyword }) => keyword === 'enum');
  const pathsOfEnums = new Set(enums.map(({ instancePath }) => instancePath));
  // The error of `anyOf` names all its formats, and that of an enum all its values: skip the others of the same value.
  const own = all.filter(
    ({ schemaPath, keyword, instancePath }) =>
      !/\/anyOf\/\d+\/format$/.test(schemaPath) &&
      !(keyword === 'type' && pathsOfEnums.has(instancePath)),
  );
  return own.map(toFault);
}

/** Makes the JSON pointer (RFC 6901) to a member of the value at `pointer`. */
export function pointTo(pointer: string, member: string | number): string {
  return `${pointer}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Explains why no field can store a text. Returns null when one can. */
export function explainUnstorable(text: string): string | null {
  if (isInexactNumber(text))
    return 'is a number that would be stored as another value; write it with at most 15 digits, or as a string where the field can be one.';
  return isStorable(text) ? null : 'must not hold U+0000 or half of a surrogate pair.';
}

function toFault(error: ErrorObject): FieldFault {
  const { instancePath, params } = error;
  // Ajv reports a missing and an additional field at the object, not at the field.
  const field: string | undefined = params['missingProperty'] ?? params['additionalProperty'];
  const pointer = field === undefined ? instancePath : pointTo(instancePath, field);
  const explain = EXPLANATIONS[error.keyword];
  return { pointer, detail: `${explain?.(error) ?? error.message ?? 'is invalid'}.` };
}

const EXPLANATIONS: Record<string, (error: ErrorObject) => string | undefined> = {
  required: () => 'is required',
  additionalProperties: ({ parentSchema }) => {
    const names = Object.keys(parentSchema?.['properties'] ?? {});
    return `is not a field here; ${names.length === 0 ? 'there are none' : `the fields are ${names.join(', ')}`}`;
  },
  type: ({ params, data }) =>
    isInexactNumber(data)
      ? 'is a number that would be stored as another value; write it with at most 15 digits'
      : `must be ${[params['type']].flat().map(nameType).join(' or ')}`,
  enum: ({ params, data }) => {
    const texts: string[] = params['allowedValues'].map(String);
    const isQuoted = typeof data === 'string' && texts.includes(data);
    return `must be ${alternatives.format(texts)}${isQuoted ? `; write ${data} without quotes` : ''}`;
  },
  maxLength: ({ params }) => `must have at most ${params['limit']} characters`,
  minLength: ({ params }) => `must have at least ${count(params['limit'], 'character')}`,
  minItems: ({ params }) => `must have at least ${count(params['limit'], 'item')}`,
  maxItems: ({ params }) => `must have at most ${count(params['limit'], 'item')}`,
  maxProperties: ({ params }) => `must have at most ${count(params['limit'], 'member')}`,
  const: ({ params }) => `must be ${params['allowedValue']}`,
  uniqueItems: () => 'must have each item once',
  minimum: ({ params }) => `must be at least ${params['limit']}`,
  maximum: ({ params }) => `must be at most ${params['limit']}`,
  pattern: ({ params }) => PATTERNS[params['pattern']],
  format: ({ params, data }) => explainFormat(params['format'], data),
  anyOf: ({ schema }) =>
    explainFormats((schema as { format?: string }[]).map((each) => each.format)),
};

const count = (number: number, thing: string): string =>
  `${number} ${thing}${number === 1 ? '' : 's'}`;

function explainFormat(format: string, data: unknown): string | undefined {
  const reason = FORMATS[format]?.explain?.(String(data));
  const rule = explainFormats([format]);
  return reason === undefined ? rule : `${rule}: ${reason}`;
}

function explainFormats(formats: (string | undefined)[]): string | undefined {
  const words = formats.flatMap((format = '') => FORMATS[format]?.description ?? []);
  return words.length > 0 ? `must be ${alternatives.format(words)}` : undefined;
}

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a finite number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

const nameType = (type: string): string => TYPES[type] ?? type;

const PATTERNS: Record<string, string> = {
  [SLUG]: 'must be 1 to 100 lower-case letters (a to z), digits and hyphens',
  [IMAGE_KEY]:
    'must be a path of at most 1,000 characters, without a leading / and without . or .. as a part',
  [WEB_URL]: 'must be a web address that begins with https:// or http://',
  [REQUEST_URL]: 'must be a URL without blanks and without a #fragment',
  [NOT_BLANK]: 'must be a string that is not blank',
  [NONE_ONLY]: 'must be a number or none',
};
