import type { ValidateFunction } from 'ajv';
import { createValidator } from '../platform/fields/index.ts';
import {
  findFieldName,
  findBodyFaults,
  invalidRequest,
  Problem,
  type FieldFault,
} from '../platform/http/index.ts';
import { toLead, type Lead, type Channel } from './lead.ts';
import { findLeadFaults } from './lead-faults.ts';
import { ContactImport } from './schemas.ts';
import { findDryRunMembers } from './unknown-fields.ts';
import { TAGS_MAX_COUNT } from '../contacts/index.ts';

/** Compiled at the first import, so that the start of the service does not wait. */
let validate: ValidateFunction<ContactImport> | undefined;

// Many more than the labels that a lead may have, so that repeated and empty texts do no harm.
const TAG_TEXTS_MAX = 1_000;

/**
 * Reads an import request. Returns its lead, or the problem that refuses it and names every wrong field. In a file, a buyer type
 * that is not listed is not a fault; it becomes Other.
 */
export function readImport(value: unknown, channel: Channel): Lead | Problem {
  const endless = findEndlessTags(value);
  const unread = [...endless.map(({ pointer }) => findFieldName(pointer)), ...findNullEmail(value)];
  const given: unknown = omitFields(value as object, new Set(unread));
  validate ??= createValidator().compile<ContactImport>(ContactImport);
  const schemaFaults = validate(given) ? [] : findBodyFaults(validate.errors);
  if (schemaFaults.some(({ pointer }) => pointer === ''))
    return new Problem('malformed_body', 'The body must be a JSON object.');
  const faults = [
    ...addLeadFaults(given as object, [...endless, ...schemaFaults], channel),
    ...findDryRunMembers(given),
  ];
  return faults.length > 0 ? invalidRequest(faults) : toLead(given as ContactImport);
}

// Check this before Ajv: half a million faults would make an answer of megabytes.
function findEndlessTags(value: unknown): FieldFault[] {
  const { tags } = (value ?? {}) as { tags?: unknown };
  const texts = typeof tags === 'string' ? tags.split(',', TAG_TEXTS_MAX + 1) : tags;
  if (!Array.isArray(texts) || texts.length <= TAG_TEXTS_MAX) return [];
  const detail = `tags may hold at most ${TAG_TEXTS_MAX} texts, which give at most ${TAGS_MAX_COUNT} labels.`;
  return [{ pointer: '/tags', detail }];
}

// Report a null email as missing, instead of as one of the wrong type.
function findNullEmail(value: unknown): string[] {
  return (value as { email?: unknown } | null)?.email === null ? ['email'] : [];
}

/** Adds the faults that the schema does not find, for fields without a fault. */
function addLeadFaults(body: object, faults: FieldFault[], channel: Channel): FieldFault[] {
  const faulty = new Set(faults.map(({ pointer }) => findFieldName(pointer)));
  const others = findLeadFaults(omitFields(body, faulty) as ContactImport, channel);
  return [...faults, ...others.filter(({ pointer }) => !faulty.has(findFieldName(pointer)))];
}

function omitFields(body: object, fields: Set<string>): object {
  if (fields.size === 0) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !fields.has(name)));
}
