export { examine, type CheckResult } from './checks.ts';
