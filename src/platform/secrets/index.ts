export { requireSecretKey, seal, unseal } from './seal.ts';
