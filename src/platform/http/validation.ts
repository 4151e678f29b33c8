import type { Ajv2020 as Ajv, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifySchemaValidationError, FastifyServerOptions } from 'fastify';
import { createValidator, findFaults } from '../fields/index.ts';
import { invalidRequest, type Fault, type FieldFault, type Problem } from './problems.ts';

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

/** Makes the validators of a group of routes. Each compiles its schema at its first request, so that a start does not wait. */
function buildValidator(shared: Record<string, object>) {
  let ajv: Ajv | undefined;
  function compile(schema: object): ValidateFunction {
    ajv ??= createValidator().addSchema(Object.values(shared));
    return ajv.compile(schema);
  }
  return ({ schema }: { schema: object }) => {
    let compiled: ValidateFunction | undefined;
    const validate: RouteValidator = (value) => {
      compiled ??= compile(schema);
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
export const compilersFactory = {
  buildValidator,
  buildSerializer: () => () => JSON.stringify,
} as unknown as CompilersFactory;

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
