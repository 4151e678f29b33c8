export {
  countUnreadable,
  makeKeyCheck,
  requireSecretKey,
  seal,
  unseal,
  type SealedSecret,
} from './seal.ts';
