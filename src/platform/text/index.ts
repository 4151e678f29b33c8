export { groupBy } from './group.ts';
export { newId } from './id.ts';
export { parseDay, parseInstant } from './instant.ts';
export {
  emailKey,
  fold,
  isBlank,
  isEmail,
  isStorable,
  isUuid,
  labelKey,
  lengthOf,
  normalizeLabel,
  toStorable,
} from './text.ts';
