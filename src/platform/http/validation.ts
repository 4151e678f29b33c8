import type { Ajv2020 as Ajv, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifySchemaValidationError, FastifyServerOptions } from 'fastify';
import { createValidator, findFaults } from '../fields/index.ts';
import { invalidRequest, type Fault, type FieldFault, type Problem } from './problems.ts';

/** The schemas that the routes of a group share, by their `$id`. */
type SharedSchemas = Record<string, object>;

/** Stores the schemas of a group of routes. Fastify asks for them at each route, and its own store would copy them each time. */
function createSharedSchemas(ofParent: SharedSchemas = {}) {
  const schemas = { ...ofParent };
  return {
    add: (schema: { $id: string }): void => {
      if (schema.$id in schemas) throw new Error(`there are two schemas ${schema.$id}`);
      schemas[schema.$id] = schema;
    },
    getSchema: (id: string) => schemas[id],
    getSchemas: () => schemas,
  };
}

const validators = new WeakMap<SharedSchemas, Ajv>();

/** Finds the validator of a group of routes, or creates it. */
function findGroupValidator(shared: SharedSchemas): Ajv {
  const ajv = validators.get(shared) ?? createValidator().addSchema(Object.values(shared));
  validators.set(shared, ajv);
  return ajv;
}

/** Makes the validator of a route. It compiles its schema at the first request, so that a start does not wait. */
function buildValidator(shared: SharedSchemas) {
  return ({ schema }: { schema: object }) => {
    let compiled: ValidateFunction | undefined;
    const validate: RouteValidator = (value) => {
      compiled ??= findGroupValidator(shared).compile(schema);
      const isValid = compiled(value);
      validate.errors = compiled.errors;
      return isValid;
    };
    return validate;
  };
}

interface RouteValidator {
  (value: unknown): boolean;
  errors?: ValidateFunction['errors'];
}

/** Fastify's validation by Ajv. No schema serializes responses: the tests check them against their schemas. */
export const schemaController = {
  bucket: createSharedSchemas,
  compilersFactory: { buildValidator, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

/** The option of a route that reads its input itself. Its schema is for the OpenAPI document only. */
export const SKIP_VALIDATION = { validatorCompiler: () => () => true };

/** Makes the problem of a request that does not fit the schema of its route. */
export function toInvalidRequest(
  errors: (FastifySchemaValidationError | ErrorObject)[],
  part: string | undefined,
): Problem {
  return invalidRequest(
    findBodyFaults(errors as ErrorObject[]).map((fault) => placeFault(fault, part)),
  );
}

function placeFault({ pointer, detail }: FieldFault, part?: string): Fault {
  const name = pointer.slice(1);
  if (part === 'querystring' || part === 'params') return { parameter: name, detail };
  return part === 'headers' ? { header: name, detail } : { pointer, detail };
}

/** More would not help, and a list of a thousand wrong values would fill an answer. */
const FAULTS_OF_FIELD_MAX = 3;

/** Turns the errors of a body into faults. The detail of each names its field. */
export function findBodyFaults(errors: ErrorObject[] | null | undefined): FieldFault[] {
  const ofField = Map.groupBy(findFaults(errors), ({ pointer }) => findFieldName(pointer));
  return [...ofField.values()]
    .flatMap((faults) => faults.slice(0, FAULTS_OF_FIELD_MAX))
    .map(({ pointer, detail }) => ({
      pointer,
      detail: `${pointer.slice(1) || 'The value'} ${detail}`,
    }));
}

/** Returns the field of a body that contains the value at a pointer. */
export function findFieldName(pointer: string): string {
  return pointer.split('/', 2)[1] ?? '';
}
