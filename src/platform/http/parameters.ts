import type { ValidateFunction } from 'ajv';
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { createValidator, findFaults } from '../fields/index.ts';
import { invalidRequest, type Fault } from './problems.ts';
import { findRepeated, makeParameterFault, type RawQuery } from './query.ts';

/*
 * The parameters of a query, declared by a schema. A parameter whose schema is an array takes several values, separated by
 * commas.
 */

/** Creates the function that reads a query which has these parameters only. It throws a 400 that names each fault. */
export function createQueryReader<Parameters extends TObject>(schema: Parameters) {
  // Compiled at the first request, so that a start does not wait.
  let validate: ValidateFunction | undefined;
  const properties = schema.properties as Record<string, { type?: string | string[] }>;
  const names = Object.keys(properties);

  return (raw: RawQuery): Static<Parameters> => {
    const repeated = findRepeated(raw);
    if (repeated.length > 0) throw invalidRequest(repeated);
    const given = Object.entries(raw as Record<string, string>);
    const found: unknown = Object.fromEntries(
      given.map(([name, text]) => [name, parseValue(properties[name]?.type, text)]),
    );
    const faults: Fault[] = given
      .filter(([name]) => !names.includes(name))
      .map(([name]) => makeParameterFault(name, `is no parameter here; use ${names.join(', ')}.`));
    validate ??= createValidator().compile(schema);
    if (faults.length === 0 && !validate(found))
      for (const { pointer, detail } of findFaults(validate.errors))
        faults.push(makeParameterFault(pointer.split('/')[1] ?? '', detail));
    if (faults.length > 0) throw invalidRequest(faults);
    return found as Static<Parameters>;
  };
}

/** Reads the text of a parameter as a value of its type. */
export function parseValue(type: string | string[] | undefined, text: string): unknown {
  if (type === 'array') return text.split(',');
  const isFlag = [type].flat().includes('boolean');
  if (isFlag && (text === 'true' || text === 'false')) return text === 'true';
  return text;
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
export function describeParameter(schema: Described): TSchema {
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
