/** The order of the names in a cell: `Ngata, Aroha` is last-first. */
export type NameOrder = 'last-first';

const LAST_FIRST =
  /^(?:full|contact|client|customer|person|lead|buyer|display)?(?:name)?(?:last(?:name)?|surname|familyname)(?:first(?:name)?|given(?:names?)?|forename)$/;

/**
 * Whether the key of a header says that the last name comes first: `Last, First`, `Name (Last, First)`, `Surname, First name`.
 */
export function isLastFirst(nameKey: string): boolean {
  return LAST_FIRST.test(nameKey);
}

/** Splits `Ngata, Aroha` into last and first name. Returns null when the text is not two names with a comma between. */
export function splitLastFirst(text: string): { firstName: string; lastName: string } | null {
  const at = text.indexOf(',');
  const lastName = text.slice(0, Math.max(at, 0)).trim();
  const firstName = text.slice(at + 1).trim();
  return lastName === '' || firstName === '' ? null : { firstName, lastName };
}
