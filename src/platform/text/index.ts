export { escapeControls, escapeLine } from './controls.ts';
export { BYTE_ORDER_MARK, FORMULA, guardCell, quoteCell, unguardCell } from './csv.ts';
export { explainEmailFault, parseEmail, toEmailKey } from './emails.ts';
export { formatCount } from './format-count.ts';
export { isUuid, makeFirstId, MAX_ID, NIL_ID, newId, readCreationTime, readIdTime } from './ids.ts';
export { imageUrl, parsePictureKey, type ImageBases } from './image-url.ts';
export {
  DAY_MS,
  HOUR_MS,
  isWrittenInstant,
  parseDay,
  parseInstant,
  restoreOffsetPlus,
  toDate,
} from './instant.ts';
export {
  isInexactNumber,
  parseExactJson,
  parseJsonList,
  toExactJson,
  toReadableJson,
} from './json.ts';
export { toLabelKey, normalizeLabel } from './labels.ts';
export { createListedFinder } from './listed.ts';
export {
  formatSearchText,
  listSearchPatterns,
  listWordPatterns,
  toSortKey,
} from './search-words.ts';
export { rewriteAsNumber, withPoint } from './spreadsheet-numbers.ts';
export {
  countCharacters,
  dropApostrophes,
  fold,
  foldCase,
  hasParts,
  hasWords,
  isBlank,
  isStorable,
  removeIgnorable,
  toStorable,
} from './text.ts';
export { defineToken, hashToken } from './tokens.ts';
