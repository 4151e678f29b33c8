export { toMaps } from './files/columns.ts';
export { FileError } from './files/file-error.ts';
export type { Format } from './files/format.ts';
export { importFile, type FileResult, type RefusedRow } from './files/import-file.ts';
export type { Layout } from './files/layout.ts';
export { openFile } from './files/open-file.ts';
export { checkFile, readRows, type ContactsFile } from './files/read-rows.ts';
export { reportHeader, reportRow } from './files/report.ts';
export { retryImports, valueOf, type Retried } from './log/retry.ts';
export {
  openNow,
  recordFind,
  recordIdsFind,
  recordPages,
  type ListedRecord,
  type Selection,
  type StoredRecord,
} from './log/read.ts';
export { createSweeper } from './log/sweeper.ts';
export { importRoutes } from './routes.ts';
export { ContactImportResult } from './schemas.ts';
export type { FileShape } from './submission.ts';
