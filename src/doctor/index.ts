export { examine, listSecrets, type CheckResult } from './checks.ts';
export { HOW_TO_RENEW_SECRETS } from './rules.ts';
