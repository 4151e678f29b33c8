import type { ImportDetail } from './data.ts';

/** The texts in the form of a lead, by the names of its fields. */
export type LeadTexts = Record<string, string>;

/** Fields that the form always shows: people find and call leads by them. */
const ALWAYS = ['email', 'firstName', 'lastName', 'phone', 'mobilePhone'];

/** Reads the texts of a lead. It skips a member that is not a text, a number or a list of texts. */
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

/** Lists the fields of the form in the order of the API: those of the lead, the faulty ones, and those of `ALWAYS`. */
export function listFields(
  order: readonly string[],
  texts: LeadTexts,
  atFault: readonly string[],
): string[] {
  const names = new Set([...ALWAYS, ...Object.keys(texts), ...atFault]);
  if (names.has('unitId')) names.add('projectId');
  return order.filter((name) => names.has(name));
}

/** Makes a lead from the texts of the form. It leaves empty fields out. */
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
