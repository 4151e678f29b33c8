export { answerOnce, createOnce, type Creation } from './create-once.ts';
export { idempotencyKeyInUse, type Answer, type IdempotencyClaim } from './key.ts';
export { readClaim } from './read-claim.ts';
export { createRunOnce } from './run-once.ts';
export { deleteOldKeys, dropAnswers, lockClaims, saveAnswers } from './store.ts';
