export { contactRow } from './columns.ts';
export { MergeError, type LeftBehind, type MergeReport } from './merge/rules.ts';
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
  readActivity,
  readLabel,
  readLink,
  type References,
} from './rules.ts';
export * from './schemas.ts';
export {
  lockEmails,
  findContactKeys,
  findContacts,
  findLinkedUnits,
  readContactPages,
} from './store.ts';
export { readLabels, selectTagsByKey, ensureTags, type Label } from './tags.ts';
export { writeChanges, type Changes, type WritableChanges } from './write.ts';
