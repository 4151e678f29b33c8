export { checkFile } from './files/check.ts';
export { FileError } from './files/faults.ts';
export { FORMATS, type Format } from './files/format.ts';
export { importFile, type FileResult, type RefusedRow } from './files/import-file.ts';
export type { FileOptions, Layout } from './files/layout.ts';
export { toMaps } from './files/maps.ts';
export { openFile, readRows, type ContactsFile } from './files/open.ts';
export { reportHeader, reportRow } from './files/report.ts';
export { retryImports, type Retried } from './log/again.ts';
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
export { valueOf } from './log/value.ts';
export { importRoutes } from './routes.ts';
export { ContactImportResult } from './schemas.ts';
export type { FileShape } from './submission.ts';
