export { toMaps } from './files/columns.ts';
export { FileError } from './files/file-error.ts';
export type { Format } from './files/format.ts';
export { importFile, type FileResult, type RefusedRow } from './files/import-file.ts';
export { openFile, type ContactsFile, type Layout } from './files/open-file.ts';
export { countRows, readRows } from './files/read-rows.ts';
export { formatReportHeader, formatReportRow } from './files/report.ts';
export { retryImports, parsePayload, type Retried } from './log/retry.ts';
export {
  findRecord,
  readRecordPages,
  type ListedRecord,
  type Selection,
  type StoredRecord,
} from './log/store.ts';
export { createSweeper } from './log/sweeper.ts';
export { importRoutes } from './routes.ts';
export { ContactImportResult } from './schemas.ts';
