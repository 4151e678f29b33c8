export { BackupError } from './backup/format.ts';
export { restoreBackup, type RestoreReport } from './backup/restore-backup.ts';
export { writeBackup, type BackupTotal } from './backup/write-backup.ts';
export { deleteAccount, measureAccount, type DeletionStep } from './delete-account.ts';
export { exportAccount } from './export.ts';
export { AccountFileError } from './faults.ts';
export type { ContactOrigin } from './load-events.ts';
export { loadPast, type PastPart } from './load-past.ts';
export type { LoadOptions } from './load-rules.ts';
export { loadAccount } from './load.ts';
export type { RowChange } from './plan-rows.ts';
export type { LoadReport } from './report.ts';
export type {
  AccountFile,
  ContactEntry,
  EnquiryEntry,
  ProjectEntry,
  UnitEntry,
} from './schemas.ts';
