export { emailKey, isEmail } from './emails.ts';
export { isUuid, newId } from './ids.ts';
export { parseDay, parseInstant } from './instant.ts';
export { labelKey, normalizeLabel } from './labels.ts';
export { fold, isBlank, isStorable, lengthOf, toStorable } from './text.ts';
