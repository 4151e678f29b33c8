export { getNetwork } from './address.ts';
export {
  acceptJson,
  allowNoBody,
  BODY_MAX_SIZE,
  isUnencoded,
  parseJson,
  parseStorableJson,
  readCharset,
  requireJsonType,
  requireMergePatch,
} from './body.ts';
export { compress, negotiateCoding, type Coding } from './coding.ts';
export { allowOrigins } from './cors.ts';
export { DRY_RUN_QUERY, isDryRunName, readDryRun } from './dry-run.ts';
export { getInstance, PROBLEM_TYPE } from './errors.ts';
export {
  formatEtag,
  makeEtag,
  matchesEtag,
  readIfMatch,
  requireMatch,
  sendCreated,
  sendResource,
  type IfMatch,
} from './etag.ts';
export { countFields, MEDIA_HEADERS, SECURITY_HEADERS, UNCACHED_HEADERS } from './headers.ts';
export { healthRoutes } from './health.ts';
export {
  cursorInvalid,
  makeFingerprint,
  readCursor,
  writeCursor,
  type ListPlace,
} from './list-cursor.ts';
export { describeListQuery, describePage } from './list-document.ts';
export { COUNT_MAX, countRows, cutLongPage, cutPage, presentList } from './list-page.ts';
export {
  createListReader,
  createSelectionReader,
  type ListQuery,
  type ListSelection,
} from './list-query.ts';
export {
  createLogger,
  describeError,
  noteRefusal,
  noteTrace,
  type AnsweredRequest,
} from './log.ts';
export { allowEverybody, HIDDEN_ROUTE, refuseOtherMethods } from './methods.ts';
export type { Observe } from './observe-answers.ts';
export { problemResponses, RATE_LIMIT_FIELDS, registerOpenapi } from './openapi.ts';
export { referenceRoutes } from './reference-routes.ts';
export { createQueryReader, describeQuery } from './parameters.ts';
export { readHandling } from './prefer.ts';
export {
  invalidRequest,
  Problem,
  problemBody,
  problemDetails,
  PROBLEMS,
  unavailable,
  type Fault,
  type FieldFault,
  type ProblemBody,
  type ProblemCode,
  type ProblemDetails,
} from './problems.ts';
export {
  findRepeated,
  makeParameterFault,
  refuseParameters,
  refuseRepeated,
  shortenName,
  type RawQuery,
} from './query.ts';
export type { Quota, RateLimiter, RateName, QuotaUse } from './quota.ts';
export { createRateLimiters, type AttemptLimiters, type RateLimiters } from './rate-limiter.ts';
export { readUpload, withinTime } from './read-upload.ts';
export { toHook, whenReady, type Check } from './ready.ts';
export {
  answerCreated,
  answerJson,
  answerNoContent,
  answerPage,
  answerRead,
  answerResource,
  IDEMPOTENCY_KEY_FIELD,
  IF_MATCH_FIELD,
  IF_NONE_MATCH_FIELD,
  MERGE_PATCH_TYPES,
  NO_MEMBERS,
  NO_MEMBERS_FAULT,
  REPLAYED_FIELD,
  WITH_BODY,
} from './resource-document.ts';
export { SAFE_METHODS } from './safe-methods.ts';
export { BODY_LIMIT_BYTES, createServer, type Server } from './server.ts';
export { neverShutDown, type Shutdown } from './shutdown.ts';
export { describeExport } from './table-document.ts';
export {
  chooseFormat,
  FORMAT_NAMES,
  type CellValue,
  type Columns,
  type FormatName,
} from './table-formats.ts';
export { findFieldName, findBodyFaults, SKIP_VALIDATION } from './validation.ts';
