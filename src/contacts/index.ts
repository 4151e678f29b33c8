export { contactRow } from './columns.ts';
export { MergeError, type LostValue, type MergeReport } from './merge/rules.ts';
export { mergeContacts } from './merge/service.ts';
export { listDuplicates, type DuplicateEmail } from './merge/store.ts';
export {
  ACTIVITY,
  checkContact,
  checkLink,
  CONTACT,
  createEmptyContact,
  isEmpty,
  LABEL_TOO_LONG,
  LINK,
  planContact,
  parseActivity,
  parseLabel,
  parseLink,
  type References,
} from './rules.ts';
export * from './schemas.ts';
export {
  lockEmails,
  findContactKeys,
  findContacts,
  findLinkedUnits,
  readContactPages,
  writeChanges,
  type Changes,
  type WritableChanges,
} from './store.ts';
export { ensureTags, readTagLabels, selectTagsByKey } from './tag-store.ts';
