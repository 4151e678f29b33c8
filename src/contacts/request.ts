import { Ajv2020 } from 'ajv/dist/2020.js';
import { invalidRequest, Problem } from '../http/problems.ts';
import { invalidBody, type Violation } from '../http/violations.ts';
import { toLead, type Lead } from './lead.ts';
import { ContactImport, TAGS_MAX_COUNT } from './schemas.ts';

// No value is turned into another type, and every fault is told at once.
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile<ContactImport>(
  ContactImport,
);

// Far beyond the labels that are taken, so that repeated and empty ones do no harm.
const TAG_TEXTS_MAX = 1_000;

/**
 * Reads one import request, whichever way it came: the lead that it asks to import, or the problem that
 * refuses it and names every field that cannot be taken.
 */
export function readImport(value: unknown): Lead | Problem {
  if (hasEndlessTags(value)) {
    const detail = `tags must have at most ${TAGS_MAX_COUNT} labels.`;
    return invalidRequest([{ pointer: '/tags', detail }]);
  }
  const given = withoutNullEmail(value);
  if (!validate(given)) return invalidBody(validate.errors as Violation[]);
  try {
    return toLead(given);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

// null is not supplied, and not a text of the wrong type.
function withoutNullEmail(value: unknown): unknown {
  if ((value as { email?: unknown } | null)?.email !== null) return value;
  const { email: _null, ...others } = value as { email: null };
  return others;
}

// Before the schema looks at each: half a million faults would be an answer of megabytes.
function hasEndlessTags(value: unknown): boolean {
  const { tags } = (value ?? {}) as { tags?: unknown };
  const texts = typeof tags === 'string' ? tags.split(',', TAG_TEXTS_MAX + 1) : tags;
  return Array.isArray(texts) && texts.length > TAG_TEXTS_MAX;
}
