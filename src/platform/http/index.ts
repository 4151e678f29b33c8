export { networkOf } from './address.ts';
export { acceptJson, BODY_SHAPE, parseJson, requireJsonType } from './body.ts';
export { allowOrigins } from './cors.ts';
export { endInOrder, noEnding, type Ending } from './drain.ts';
export { instanceOf, PROBLEM_TYPE } from './errors.ts';
export { MEDIA_HEADERS, SECURITY_HEADERS, UNCACHED_HEADERS } from './headers.ts';
export { healthRoutes } from './health.ts';
export type { Counter, Quota, Taken } from './limits/counter.ts';
export { createLimits } from './limits/limits.ts';
export { createLogger, loggable, noteRefusal, noteTrace, type Answered } from './log.ts';
export { otherMethodsRefusal } from './methods.ts';
export {
  problemResponses,
  RATE_LIMIT_FIELDS,
  referenceRoutes,
  registerOpenapi,
} from './openapi.ts';
export {
  invalidRequest,
  Problem,
  problemBody,
  problemDetails,
  PROBLEMS,
  type Fault,
  type FieldFault,
  type ProblemBody,
  type ProblemCode,
  type ProblemDetails,
} from './problems.ts';
export { refuseRepeated, repeatedFaults, type RawQuery } from './query.ts';
export {
  addFields,
  readyFields,
  sendReady,
  type Body,
  type Fields,
  type Ready,
  type ReadyFields,
} from './send.ts';
export { createServer, type FindReady, type Observe, type Server } from './server.ts';
export type { Shape } from './shape.ts';
export { bodyFaults, fieldOf, isNoObject, type Violation } from './violations.ts';
