export { toEmailKey, isEmail } from './emails.ts';
export { isUuid, newId } from './ids.ts';
export { parseDay, parseInstant } from './instant.ts';
export { toLabelKey, normalizeLabel } from './labels.ts';
export { fold, isBlank, isStorable, countCharacters, toStorable } from './text.ts';
