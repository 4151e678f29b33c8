import { BUYER_TYPES, TAG_MAX_LENGTH, TAGS_MAX_COUNT, type Label } from '../contacts/index.ts';
import { explainUnstorable } from '../platform/fields/index.ts';
import type { FieldFault } from '../platform/http/index.ts';
import {
  countCharacters,
  explainEmailFault,
  isBlank,
  isStorable,
  parseEmail,
} from '../platform/text/index.ts';
import { findBuyerType, joinLabels, readLabels, type Channel } from './lead.ts';
import { ContactImport } from './schemas.ts';

/** Finds the faults of a body whose fields have the right types. */
export function findLeadFaults(body: ContactImport, channel: Channel): FieldFault[] {
  const labels = readLabels(body);
  return [
    ...checkStorable(body),
    ...checkEmail(body.email),
    ...(channel === 'file' ? [] : checkBuyerType(body.buyerType)),
    ...checkLabelCount(joinLabels(labels)),
    ...checkLabelLengths('/tag', labels.tag),
    ...checkLabelLengths('/tags', labels.tags),
  ];
}

const FIELDS = Object.keys(ContactImport.properties) as (keyof ContactImport)[];

function checkStorable(body: ContactImport): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const field of FIELDS) {
    const reason = explainValue(body[field]);
    if (reason !== null) faults.push({ pointer: `/${field}`, detail: `${field} ${reason}` });
  }
  return faults;
}

function explainValue(value: unknown): string | null {
  if (typeof value === 'string') return explainUnstorable(value);
  if (!Array.isArray(value)) return null;
  return value.map(explainValue).find((reason) => reason !== null) ?? null;
}

function checkEmail(email: string): FieldFault[] {
  if (isBlank(email)) return [{ pointer: '/email', detail: 'email is required.' }];
  if (parseEmail(email) !== null) return [];
  const reason = explainEmailFault(email);
  const detail = `email must be an email address such as aroha@example.com: ${reason}.`;
  return [{ pointer: '/email', detail }];
}

const SHOWN_MAX_LENGTH = 60;

function checkBuyerType(buyerType: string | null | undefined): FieldFault[] {
  if (isBlank(buyerType) || !isStorable(buyerType) || findBuyerType(buyerType)) return [];
  const isLong = buyerType.length > SHOWN_MAX_LENGTH;
  const shown = isLong ? `${buyerType.slice(0, SHOWN_MAX_LENGTH).toWellFormed()}…` : buyerType;
  const detail = `buyerType must be one of ${BUYER_TYPES.join(', ')}; "${shown}" is none of them.`;
  return [{ pointer: '/buyerType', detail }];
}

function checkLabelCount(labels: Label[]): FieldFault[] {
  if (labels.length <= TAGS_MAX_COUNT) return [];
  return [{ pointer: '/tags', detail: `tag and tags give more than ${TAGS_MAX_COUNT} labels.` }];
}

function checkLabelLengths(pointer: string, labels: Label[]): FieldFault[] {
  if (labels.every(({ label }) => countCharacters(label) <= TAG_MAX_LENGTH)) return [];
  const detail = `${pointer.slice(1)} must have labels of at most ${TAG_MAX_LENGTH} characters.`;
  return [{ pointer, detail }];
}
