import { pointTo } from '../platform/fields/index.ts';
import {
  invalidRequest,
  isDryRunName,
  Problem,
  shortenName,
  type FieldFault,
} from '../platform/http/index.ts';
import type { Lead } from './lead.ts';
import { ContactImport } from './schemas.ts';

const KNOWN_FIELDS = new Set(Object.keys(ContactImport.properties));
/** The log, the header and a problem name at most this many fields, since a body can have thousands. */
const NAMES_MAX = 20;
/** Proxies refuse an answer whose headers take more than some kilobytes. */
const HEADER_MAX_LENGTH = 1_000;

/** Lists the members of an import that are unknown. */
export function listUnknownFields(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value).filter((name) => !KNOWN_FIELDS.has(name));
}

/** Shortens names so that they can be shown. Lists each once. */
export function shortenNames(names: string[]): string[] {
  return [...new Set(names.slice(0, NAMES_MAX).map(shortenName))];
}

/** Refuses a lead because of these members, in addition to its own faults. A problem that is not about fields stays the same. */
export function refuseFields(lead: Lead | Problem, names: string[]): Lead | Problem {
  const isProblem = lead instanceof Problem;
  if (names.length === 0 || (isProblem && lead.code !== 'invalid_request')) return lead;
  const errors = (isProblem && lead.members.errors) || [];
  const faulty = new Set(errors.map((fault) => ('pointer' in fault ? fault.pointer : undefined)));
  const faults = findUnknownFaults(names).filter(({ pointer }) => !faulty.has(pointer));
  return invalidRequest([...errors, ...faults]);
}

/** Makes a fault for each of the unknown fields, of which it names at most 20. */
export function findUnknownFaults(names: string[]): FieldFault[] {
  return shortenNames(names).map((name) => ({
    pointer: pointTo('', name),
    detail: `${name} is not a field of this request.`,
  }));
}

const DRY_RUN_FAULTS_MAX = 10;

/** Finds the members of a body or an item that are `dryRun` in any spelling. Other unknown fields are ignored. */
export function findDryRunMembers(value: unknown): FieldFault[] {
  const names = listUnknownFields(value).filter(isDryRunName).slice(0, DRY_RUN_FAULTS_MAX);
  return names.map(shortenName).map((name) => ({
    pointer: pointTo('', name),
    detail: `${name} cannot be in the body. Ask for a dry run with ?dryRun=true in the URL.`,
  }));
}

/** Formats names as strings of RFC 9651. Names with a character that such a string cannot have are percent-encoded. */
export function formatFieldNames(names: string[]): string {
  let text = '';
  for (const name of names) {
    const encoded = name.replace(/[^\x20-\x7e]+|%/gu, encodeURIComponent);
    const item = `"${encoded.replace(/["\\]/g, String.raw`\$&`)}"`;
    if (text.length + item.length > HEADER_MAX_LENGTH) break;
    text += text === '' ? item : `, ${item}`;
  }
  return text;
}
