export { makeKeyCheck, requireSecretKey, seal, unseal } from './seal.ts';
