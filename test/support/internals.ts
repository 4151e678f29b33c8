// The parts of the service that tests reach from inside. No other file of `test/` names a file within a room, so that a
// rename touches this one.
export { buildApp } from '../../src/app/index.ts';
export { EXIT_TIMEOUT_MS } from '../../src/cli/serve/stop.ts';
export { finishRenames } from '../../src/contacts/tags/changes.ts';
export { createSweeper, sweep } from '../../src/sweeps/sweeper.ts';
export { hashPassword, verifyPassword } from '../../src/users/passwords/hash.ts';
export { completeSignIn } from '../../src/users/sign-in/service.ts';
export { createKeyText } from '../../src/keys/key-text.ts';
