import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { FastifySchemaValidationError, FastifyServerOptions } from 'fastify';
import { invalidRequest, type Fault, type Problem } from './problems.ts';
import { bodyFaults, type Violation } from './violations.ts';

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

/** Checks what a client sends against the schemas of a route. No value is changed, and every fault is reported at once. */
const buildValidator = (shared: Record<string, object>) => {
  const ajv = new Ajv2020({
    allErrors: true,
    coerceTypes: false,
    removeAdditional: false,
    strict: false,
  });
  for (const schema of Object.values(shared)) ajv.addSchema(schema);
  return ({ schema }: { schema: object }) => ajv.compile(schema);
};

/** Fastify's validation by Ajv. Answers are serialised as they are: the tests check them against their schemas. */
export const compilersFactory = {
  buildValidator,
  buildSerializer: () => () => JSON.stringify,
} as unknown as CompilersFactory;

/** For a route that reads its input itself and answers in its own words: its schema is for the OpenAPI document alone. */
export const SKIP_VALIDATION = { validatorCompiler: () => () => true };

/** The problem of a request that breaks the schema of its route. */
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
