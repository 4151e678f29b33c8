import type { ImportDetail } from './data.ts';

/** The texts of a form over a lead, by the names of its fields. */
export type LeadTexts = Record<string, string>;

/** Fields that the form always shows, since most leads are found and called by them. */
const ALWAYS = ['email', 'firstName', 'lastName', 'phone', 'mobilePhone'];

/** Reads the texts of a lead. A member that is no text, no number and no list of texts is left as it is. */
export function readTexts(lead: ImportDetail['lead']): LeadTexts {
  return Object.fromEntries(
    Object.entries(lead ?? {}).flatMap(([name, value]: [string, unknown]): [string, string][] => {
      if (typeof value === 'string') return [[name, value]];
      if (typeof value === 'number') return [[name, String(value)]];
      const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
      return isList ? [[name, value.join(', ')]] : [];
    }),
  );
}

/** Lists the fields of the form in the order of the API: those of the lead, those at fault and the usual ones. */
export function listFields(
  order: readonly string[],
  texts: LeadTexts,
  atFault: readonly string[],
): string[] {
  const names = new Set([...ALWAYS, ...Object.keys(texts), ...atFault]);
  return order.filter((name) => names.has(name));
}

/** Makes the lead that the form says. A field that is empty is left out. */
export function writeLead(
  lead: ImportDetail['lead'],
  fields: readonly string[],
  texts: LeadTexts,
): Record<string, unknown> {
  const changed = Object.fromEntries(fields.map((name) => [name, (texts[name] ?? '').trim()]));
  return Object.fromEntries(
    Object.entries({ ...lead, ...changed }).filter(([, value]) => value !== ''),
  );
}
