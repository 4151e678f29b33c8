export { contactFileRoutes } from './contact-files/routes.ts';
export { requireFile, startRun, uploadFile } from './contact-files/service.ts';
export { deleteOldFiles } from './contact-files/store.ts';
export { undoEndedRun } from './contact-files/undo-ended.ts';
export { createFileWorker, workOnDueFiles } from './contact-files/worker.ts';
export { erasureRoutes } from './person/erasure/routes.ts';
export { toMaps } from './files/columns/column-maps.ts';
export { describeShared } from './files/columns/columns.ts';
export { isBlankRecord, readRecords, type CsvRecord } from './files/csv/csv.ts';
export type { DateOrder } from './files/dates.ts';
export { printEncoding, findEncoding } from './files/csv/decode.ts';
export { listDelimiters, TITLE_MAX_ROWS, type Layout } from './files/detect-layout.ts';
export { FileError, printName, toSentence } from './files/file-error.ts';
export type { FileResult, RefusedRow } from './files/file-result.ts';
export { makeShape, type Spelling } from './files/rows/file-shape.ts';
export { leaveOutForeignIds } from './files/survey/foreign-ids.ts';
export type { Format } from './files/format.ts';
export { importFile } from './files/import-file.ts';
export { openFile, type ContactsFile } from './files/open-file.ts';
export type { NameOrder } from './files/columns/person-names.ts';
export { readRows } from './files/rows/read-rows.ts';
export { formatReportHeader, formatReportRow, isReport } from './files/report.ts';
export { decideSpelling } from './files/survey/spelling.ts';
export { surveyRows, type Survey } from './files/survey/survey.ts';
export { deleteOldRecords } from './log/delete-old.ts';
export { readLogBytes, readMostRefusedBytes, recountRefusedBytes } from './log/refused-bytes.ts';
export { retryImports, parsePayload, type Retried } from './log/retry.ts';
export { importLogRoutes } from './log/routes.ts';
export { listRuns, type Run } from './log/run-store.ts';
export { dismissRecord, readImportObjects, retryRecord } from './log/service.ts';
export {
  deleteRecords,
  findRecord,
  readRecordPages,
  type Selection,
  type StoredRecord,
} from './log/store.ts';
export type { RemainingContact, UndoReport } from './log/undo.ts';
export { personDataRoutes } from './person/data/routes.ts';
export { importReceived } from './received.ts';
export { importRoutes } from './routes.ts';
export { ContactImportResult } from './schemas.ts';
