import type { ValidateFunction } from 'ajv';
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { createValidator, findFaults } from '../fields/index.ts';
import { restoreOffsetPlus } from '../text/index.ts';
import { invalidRequest, type Fault } from './problems.ts';
import { makeParameterFault, refuseRepeated, type RawQuery } from './query.ts';

/*
 * The parameters of a query, declared by a schema. A parameter whose schema is an array takes several values, separated by
 * commas.
 */

/** Creates the function that reads a query with only these parameters. It throws a 400 that names each fault. */
export function createQueryReader<Parameters extends TObject>(schema: Parameters) {
  const readParameters = createParameterReader(schema);
  return (raw: RawQuery): Static<Parameters> => {
    refuseRepeated(raw);
    return readParameters(raw as Record<string, string>);
  };
}

/**
 * Creates the function that reads parameters as the values that a schema declares. It throws a 400 that names each unknown
 * parameter and each of the `otherFaults` that the caller found. When there are none, the 400 names the values that do not fit
 * the schema. The detail of an unknown parameter lists `names`.
 */
export function createParameterReader<Parameters extends TObject>(
  schema: Parameters,
  names: readonly string[] = Object.keys(schema.properties),
) {
  // Compiled at the first request, so that a start does not wait.
  let validate: ValidateFunction | undefined;
  const properties = schema.properties as Record<string, ParameterSchema>;

  return (texts: Record<string, string>, otherFaults: Fault[] = []): Static<Parameters> => {
    const found: unknown = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, parseValue(properties[name], text)]),
    );
    const unknown = Object.keys(texts).filter((name) => !names.includes(name));
    const rule = `is not a parameter here; use ${names.join(', ')}.`;
    const faults = [...unknown.map((name) => makeParameterFault(name, rule)), ...otherFaults];
    validate ??= createValidator().compile(schema);
    if (faults.length === 0 && !validate(found))
      for (const { pointer, detail } of findFaults(validate.errors))
        faults.push(makeParameterFault(pointer.split('/')[1] ?? '', detail));
    // Several values of one parameter can have the same fault.
    const distinct = new Map(faults.map((fault) => [fault.detail, fault]));
    if (distinct.size > 0) throw invalidRequest([...distinct.values()]);
    return found as Static<Parameters>;
  };
}

/** The part of a parameter's schema that decides how its text is parsed. */
interface ParameterSchema {
  type?: string | string[];
  format?: string;
  items?: ParameterSchema;
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

/** Reads the text of a parameter as a value of its type. */
function parseValue({ type, format, items }: ParameterSchema = {}, text: string): unknown {
  if (format === 'date-time') return restoreOffsetPlus(text);
  if (type === 'array') return text.split(',').map((item) => parseValue(items, item));
  const types = new Set([type].flat());
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (!types.has('number') || !NUMBER.test(text)) return text;
  // Lot numbers can also be texts: `03` and `3.0` stay texts.
  return types.has('string') && String(Number(text)) !== text ? text : Number(text);
}

type Described = TSchema & { type?: string; description?: string; items?: { enum?: string[] } };

/** The description of a parameter lists its values only when there are at most this many. */
const LISTED_MAX = 10;

/** Describes the parameters of a query for the OpenAPI document. */
export function describeQuery(schema: TObject): TObject {
  const described = Object.entries(schema.properties).map(([name, each]) => [
    name,
    describeParameter(each),
  ]);
  return Type.Object(Object.fromEntries(described));
}

/** Describes one parameter for the OpenAPI document. */
function describeParameter(schema: Described): TSchema {
  const { type, description, items } = schema;
  if (type !== 'array') return schema;
  const listed = items?.enum ?? [];
  const isShort = listed.length > 0 && listed.length <= LISTED_MAX;
  const values = isShort ? ` One of ${listed.join(', ')}.` : '';
  return Type.Optional(
    Type.String({
      examples: listed.slice(0, 1),
      description: `${description ?? ''}${values} Several, with commas: any of them.`,
    }),
  );
}
