import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { FastifySchemaValidationError, FastifyServerOptions } from 'fastify';
import { invalidRequest, type Fault, type Problem } from './problems.ts';
import { bodyFaults, type Violation } from './validation-errors.ts';

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

/** Makes the validators of a scope's routes. Ajv changes no value, and reports every fault at once. */
function buildValidator(shared: Record<string, object>) {
  const ajv = new Ajv2020({
    allErrors: true,
    coerceTypes: false,
    removeAdditional: false,
    strict: false,
  });
  for (const schema of Object.values(shared)) ajv.addSchema(schema);
  return ({ schema }: { schema: object }) => ajv.compile(schema);
}

/** Fastify's validation by Ajv. Responses need no serializer by schema: the tests check them against their schemas. */
export const compilersFactory = {
  buildValidator,
  buildSerializer: () => () => JSON.stringify,
} as unknown as CompilersFactory;

/** The option of a route that reads its input itself. Its schema is for the OpenAPI document only. */
export const SKIP_VALIDATION = { validatorCompiler: () => () => true };

/** Makes the problem of a request that does not fit the schema of its route. */
export function toInvalidRequest(
  violations: (FastifySchemaValidationError | ErrorObject)[],
  part: string | undefined,
): Problem {
  return invalidRequest(
    bodyFaults(violations as Violation[]).map((fault) => placeFault(fault, part)),
  );
}

function placeFault(
  { pointer, detail }: { pointer: string; detail: string },
  part?: string,
): Fault {
  const name = pointer.slice(1);
  if (part === 'querystring' || part === 'params') return { parameter: name, detail };
  return part === 'headers' ? { header: name, detail } : { pointer, detail };
}
