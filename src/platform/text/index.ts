export { escapeControls, escapeLine } from './controls.ts';
export { explainEmailFault, parseEmail, toEmailKey } from './emails.ts';
export { isUuid, newId } from './ids.ts';
export { parseDay, parseInstant } from './instant.ts';
export { isInexactNumber, parseExactJson, toExactJson } from './json.ts';
export { toLabelKey, normalizeLabel } from './labels.ts';
export { createListedFinder } from './listed.ts';
export { defineToken, hashToken } from './tokens.ts';
export { fold, hasWords, isBlank, isStorable, countCharacters, toStorable } from './text.ts';
