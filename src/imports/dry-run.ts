import { pointTo } from '../platform/fields/index.ts';
import { isDryRunName, shortenName, type FieldFault } from '../platform/http/index.ts';
import { listUnknownFields } from './unknown-fields.ts';

const FAULTS_MAX = 10;

/** Finds the members of a body or an item that are `dryRun` in any spelling. Other unknown fields are ignored. */
export function findDryRunMembers(value: unknown): FieldFault[] {
  const names = listUnknownFields(value).filter(isDryRunName).slice(0, FAULTS_MAX);
  return names.map((name) => ({
    pointer: pointTo('', shortenName(name)),
    detail: `${shortenName(name)} cannot be in the body. Ask for a dry run with ?dryRun=true in the URL.`,
  }));
}
