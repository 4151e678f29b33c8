import { STAGES, type Stage } from '../../../contacts/index.ts';
import { fold, isBlank } from '../../../platform/text/index.ts';
import type { LeadHistory } from '../../lead.ts';
import { readDate, type DateOrder } from '../dates.ts';
import { readFlag, readOptOut } from '../rows/flags.ts';
import { HISTORY_FIELDS, type DateField, type HistoryField } from '../columns/history-fields.ts';
import { splitLastFirst, type NameOrder } from '../columns/person-names.ts';
import type { NameFinder } from './name-finder.ts';
import type { Spelling } from '../rows/file-shape.ts';

interface HistoryOptions extends Spelling {
  names: NameFinder;
  /** The latest instant that a past date can have. */
  latestMs: number;
}

/** A row as an import request, with the history that a request cannot have. */
export interface RowWithHistory {
  request: object;
  history: LeadHistory;
  /** Sentences about values that were left out. They are counted over the file. */
  remarks: string[];
}

/** The labels of the tags that tell how a person must not be contacted. */
const CONSENT_TAGS = { noEmail: 'No email', noCalls: 'No calls' } as const;

/** Takes the history out of a row. An invalid value is left out with a remark, and does not refuse the row. */
export function readHistory(row: object, options: HistoryOptions): RowWithHistory {
  const { request, texts } = splitRow(row);
  const remarks: string[] = [];

  function read<T>(field: HistoryField, parse: (text: string) => T | { fault: string }): T | null {
    const text = texts[field];
    if (text === undefined) return null;
    const value = parse(text);
    if (typeof value !== 'object' || value === null || !('fault' in value)) return value;
    remarks.push(`${field} "${text}" ${value.fault}`);
    return null;
  }

  const readInstant = (field: DateField) =>
    read(field, (text) => parseInstant(text, options.dateOrders?.[field], options.latestMs));
  const { names } = options;
  const userId = read('owner', (text) => toId(names.findUser(text)));
  const projectId = read('project', (text) => toId(names.findProject(text)));
  const projectOfUnit = readId(request['projectId']) ?? projectId;
  const unitId = read('unit', (text) => {
    if (projectOfUnit !== null) return toId(names.findUnit(projectOfUnit, text));
    return {
      fault:
        texts.project === undefined
          ? 'is left out, since the row names no project'
          : 'is left out, since its project is left out',
    };
  });
  const ids = { assignedAccountUserId: userId, projectId, unitId };
  const history: LeadHistory = {
    createdAt: readInstant('createdAt'),
    noteDate: readInstant('noteDate'),
    stage: read('stage', parseStage),
    isArchived: read('archived', (text) => parseArchived(text, options.latestMs)) ?? false,
  };
  const labels = (['noEmail', 'noCalls'] as const).filter((field) => read(field, readOptOut));
  const named = orderNames(fillIds(request, ids), options.nameOrder);
  return {
    request: addLabels(
      named,
      labels.map((field) => CONSENT_TAGS[field]),
    ),
    history,
    remarks,
  };
}

type Row = Record<string, unknown>;

/** Separates the fields of an import request from those of the history, and converts the latter to texts. */
function splitRow(row: object): { request: Row; texts: Partial<Record<HistoryField, string>> } {
  const request: Row = { ...row };
  const texts: Partial<Record<HistoryField, string>> = {};
  for (const field of HISTORY_FIELDS) {
    const value = request[field];
    delete request[field];
    const isPlain = typeof value === 'string' || typeof value === 'number' || value === true;
    if (isPlain && !isBlank(`${value}`)) texts[field] = `${value}`.trim();
  }
  return { request, texts };
}

// An id in the row itself takes precedence.
function fillIds(request: Row, ids: Record<string, string | null>): Row {
  const filled = { ...request };
  for (const [field, id] of Object.entries(ids)) if (id !== null) filled[field] ??= id;
  return filled;
}

function readId(value: unknown): string | null {
  return typeof value === 'string' && !isBlank(value) ? value.trim().toLowerCase() : null;
}

function toId(found: { id: string } | { fault: string }): string | { fault: string } {
  return 'id' in found ? found.id : found;
}

function parseInstant(
  text: string,
  order: DateOrder | undefined,
  latestMs: number,
): string | { fault: string } {
  const reading = readDate(text, latestMs);
  // Without an order, only a date that is the same in each one is clear.
  const [ms, ...others] = new Set(order === undefined ? Object.values(reading) : [reading[order]]);
  if (ms === undefined) return { fault: 'is not a date in the past' };
  if (others.length > 0) return { fault: 'is one date or another; say which with --date-order' };
  return new Date(ms).toISOString();
}

function parseStage(text: string): Stage | { fault: string } {
  const word = fold(text).replace(/[\s_-]+/g, ' ');
  const stage = STAGES.find((each) => each.toLowerCase() === word);
  return stage ?? { fault: `is not one of ${STAGES.join(', ')}` };
}

// Some systems give the time of archiving instead of yes.
function parseArchived(text: string, latestMs: number): boolean | { fault: string } {
  const flag = fold(text) === 'archived' ? true : readFlag(text);
  if (flag !== null) return flag;
  return Object.keys(readDate(text, latestMs)).length > 0 || { fault: 'is neither yes nor no' };
}

function orderNames(request: Row, order: NameOrder | undefined): Row {
  const { name, ...others } = request;
  if (order === undefined || typeof name !== 'string') return request;
  if (others['firstName'] || others['lastName']) return request;
  const names = splitLastFirst(name);
  return names === null ? request : { ...others, ...names };
}

function addLabels(request: Row, labels: string[]): Row {
  if (labels.length === 0) return request;
  const { tags } = request;
  if (Array.isArray(tags)) return { ...request, tags: [...(tags as unknown[]), ...labels] };
  if (tags != null && typeof tags !== 'string') return request;
  return { ...request, tags: [tags ?? '', ...labels].join(',') };
}
