/** The characters that a terminal obeys: control characters (C0, DEL and C1), and those that change the direction of a text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;
const CONTROLS_WITHIN_LINES = /[[\p{Cc}\p{Bidi_Control}]--[\n\t]]/gv;

/** Replaces the characters that a terminal obeys by their codes, as JSON writes them. Line breaks and tabs stay. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS_WITHIN_LINES, toCode);
}

/** Replaces line breaks and tabs as well, for a text that must stay on one line and in one column. */
export function escapeLine(text: string): string {
  return text.replace(CONTROLS, toCode);
}

function toCode(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
