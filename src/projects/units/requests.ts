import type { ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { createValidator } from '../../platform/fields/index.ts';
import { findBodyFaults, invalidRequest, type FieldFault } from '../../platform/http/index.ts';
import { UnitFilter } from './filter.ts';
import { NewUnit, UnitChanges } from './schemas.ts';

/** Creates the function that finds the faults of a value. It compiles the schema at the first call, so that the start of the service does not wait. */
export function createFaultFinder(schema: TSchema): (value: unknown) => FieldFault[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= createValidator().addSchema([UnitFilter, UnitChanges, NewUnit]).compile(schema);
    return validate(value) ? [] : findBodyFaults(validate.errors);
  };
}

/** Creates the function that validates a body which the route does not validate. It throws a 400 that names each fault. */
export function createBodyReader<Body>(schema: TSchema): (body: unknown) => Body {
  const findFaults = createFaultFinder(schema);
  return (body) => {
    const faults = findFaults(body);
    if (faults.length > 0) throw invalidRequest(faults);
    return body as Body;
  };
}
