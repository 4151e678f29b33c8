export { ACTIVITY_EXAMPLE } from './activities/document.ts';
export { presentActivity } from './activities/present.ts';
export { readActivityObjects } from './activities/service.ts';
export { assignTagIds, writeChanges, type Changes, type WritableChanges } from './changes-store.ts';
export { contactRow } from './columns.ts';
export { deactivatePerson } from './deactivation/service.ts';
export { deactivationRoutes } from './deactivation/routes.ts';
export { listDuplicates, type DuplicateEmail } from './duplicates/store.ts';
export { readEditor } from './edit/routes.ts';
export { findForbiddenAssignment } from './edit/rules.ts';
export type { Editor, Target } from './edit/service.ts';
export { deleteEmailLocks, lockContactEmails, lockEmails } from './email-locks.ts';
export { createPersonTest, type PersonNames } from './erase/names-person.ts';
export { eraseContact, requireErasable } from './erase/service.ts';
export { listContactEvents, type ContactStep } from './events.ts';
export { readActivities } from './export/store.ts';
export { IS_INDEXED, isVisible, type Reader } from './list/conditions.ts';
export { CONTACT_EXAMPLE, CONTACT_LIST, CONTACT_PARAMS, LINK_EXAMPLE } from './list/document.ts';
export { readProvenance } from './list/provenance.ts';
export { readContactObjects, requireContact } from './list/service.ts';
export { MergeError, type LostValue, type MergeReport } from './merge/rules.ts';
export { mergeContacts } from './merge/service.ts';
export { findMergedIds } from './merged-ids.ts';
export {
  readEnquiryPages,
  findContactKeys,
  findContacts,
  findContactVersions,
  findLinkedUnits,
  readContactPages,
  type ContactVersion,
} from './read-store.ts';
export { contactRoutes } from './routes.ts';
export {
  ACTIVITY,
  checkContact,
  checkLink,
  checkUser,
  CONTACT,
  createEmptyContact,
  isEmpty,
  joinName,
  LABEL_RULE,
  LINK,
  makeEnquiry,
  parseEnquiry,
  planContact,
  parseActivity,
  parseLabel,
  parseLink,
  toLinkKey,
  type References,
} from './rules.ts';
export {
  ActivityFields,
  BUDGET_MAX_LENGTH,
  BUYER_TYPES,
  ContactFields,
  EnquiryFields,
  FILLABLE_FIELDS,
  FILLED_FIELD_OF,
  FILLED_FIELDS,
  LinkFields,
  SOURCES,
  STAGES,
  TAG_MAX_LENGTH,
  TAGS_MAX_COUNT,
  TEXT_MAX_LENGTH,
  type Activity,
  type Contact,
  type FillableField,
  type FilledField,
  type FullContact,
  type Label,
  type Link,
  type RowOfContact,
  type Source,
  type Stage,
} from './schemas.ts';
export { deleteAllContacts, ensureStatistics, removeContacts } from './store.ts';
export {
  addTagIds,
  ensureTags,
  findTags,
  insertTags,
  makeMissingTags,
  readTagLabels,
  requireTagId,
  type NewTag,
} from './tag-store.ts';
export { finishRenames, mergeTag } from './tags/changes.ts';
export { mergeDocument } from './tags/document.ts';
export { tagRoutes } from './tags/routes.ts';
export type { Tag, TagMerge } from './tags/schemas.ts';
