export { exportAccount } from './export.ts';
export { AccountFileError } from './faults.ts';
export { loadAccount, type LoadReport } from './load.ts';
