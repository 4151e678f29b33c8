export { countUnreadable, requireSecretKey, seal, unseal, type SealedSecret } from './seal.ts';
