import {
  FILLABLE_FIELDS,
  type Contact,
  type FillableField,
  isEmpty,
  joinName,
} from '../contacts/index.ts';
import type { Lead } from './lead.ts';

/* The values of a lead that can fill its contact, and the values that differ from the contact's and become an enquiry. */

/** Lists the values of a lead that can fill empty fields of a contact. */
export function offerValues(
  contact: Contact,
  lead: Lead,
  importedAt: string,
): Partial<Pick<Contact, FillableField>> {
  const withSource = isEmpty(contact.source);
  return {
    ...lead.fields,
    name: lead.fields.name ?? buildName(contact, lead),
    stage: lead.history?.stage ?? 'New',
    source: lead.source,
    sourceExternalOriginalName: withSource ? lead.sourceLabel : lead.sentLabel,
    importedAt,
    assignedAccountUserId: lead.assignedAccountUserId,
  };
}

/** Finds the values of a lead that differ from those of the contact, by the names of their fields. */
export function findDifferentValues(contact: Contact, lead: Lead): Record<string, string> {
  const { hasSource, source, sourceLabel, sentLabel, assignedAccountUserId } = lead;
  const sent: Partial<Pick<Contact, FillableField>> = {
    ...lead.fields,
    source: hasSource ? source : null,
    sourceExternalOriginalName: hasSource ? sourceLabel : sentLabel,
    assignedAccountUserId,
  };
  const other = FILLABLE_FIELDS.filter((field) => {
    const value = sent[field] ?? null;
    return !isEmpty(value) && normalizeValue(value) !== normalizeValue(contact[field]);
  });
  return Object.fromEntries(other.map((field) => [field, String(sent[field])]));
}

const normalizeValue = (value: string | number | null): string =>
  String(value).trim().toLowerCase();

/** Whether two enquiries have the same values. Case and blanks around a value do not count. */
export function isSameValues(a: Record<string, string>, b: Record<string, string>): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => normalizeValue(a[name] ?? null) === normalizeValue(b[name] ?? null))
  );
}

/** Builds a name from the contact's first and last name. Where the contact has none, it takes that of the lead. */
function buildName(contact: Contact, { fields }: Lead): string | null {
  const choose = (own: string | null, sent: string | null = null) => (isEmpty(own) ? sent : own);
  return joinName(
    choose(contact.firstName, fields.firstName),
    choose(contact.lastName, fields.lastName),
  );
}
