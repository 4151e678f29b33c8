import {
  isBlank,
  isUuid,
  toExactJson,
  toStorable,
  unguardCell,
} from '../../../platform/text/index.ts';
import type { Columns } from '../columns/columns.ts';
import { findLatestMs } from '../dates.ts';
import type { ContactsFile } from '../open-file.ts';
import { readCell } from '../rows/cells.ts';
import { readFilledRecords } from '../rows/read-rows.ts';
import { createDateSurvey, type DateSurvey } from './date-survey.ts';

/** The findings of the first reading of a file. */
export interface Survey {
  rows: number;
  /** Up to three different values of each column, as the import reads them. */
  samples: string[][];
  /** The members of the first objects of NDJSON, with up to three different values of each. */
  members: Map<string, string[]>;
  /** The ids in each recognized column of ids, and whether the column has any value. */
  ids: Map<number, ColumnIds>;
  dates: DateSurvey;
}

interface ColumnIds {
  isFilled: boolean;
  /** The first 1,000 values that are UUIDs, in lower case. */
  ids: Set<string>;
}

const SAMPLES_MAX_COUNT = 3;
const SAMPLE_MAX_LENGTH = 100;
const IDS_MAX_COUNT = 1_000;
const MEMBERS_MAX_ROWS = 100;
const MEMBERS_MAX_COUNT = 200;

/** Reads a file to its end. Throws the FileErrors that `readRows` throws. */
export async function surveyRows(
  file: ContactsFile,
  { fromLine, now }: { fromLine: number; now: Date },
): Promise<Survey> {
  const { layout } = file;
  const survey: Survey = {
    rows: 0,
    samples: layout.fields.map(() => []),
    members: new Map(),
    dates: createDateSurvey(layout, findLatestMs(now)),
    ids: new Map(layout.idColumns.map((at) => [at, { isFilled: false, ids: new Set() }])),
  };
  for await (const records of readFilledRecords(file, fromLine)) {
    if (layout.delimiter === null && survey.rows < MEMBERS_MAX_ROWS)
      for (const { text } of records.slice(0, MEMBERS_MAX_ROWS)) surveyMembers(survey, text);
    survey.rows += records.length;
    for (const { cells, line } of records) {
      surveyCells(survey, cells, layout);
      survey.dates.add(cells, line);
    }
  }
  return survey;
}

function surveyCells({ samples, ids }: Survey, cells: string[], { isReport }: Columns): void {
  for (const [at, found] of samples.entries()) {
    if (found.length === SAMPLES_MAX_COUNT) continue;
    const cell = cells[at] ?? '';
    addSample(found, readCell(isReport ? unguardCell(cell) : cell));
  }
  for (const [at, column] of ids) addId(column, readCell(cells[at] ?? '').trim());
}

function surveyMembers({ members }: Survey, text: string): void {
  for (const [name, value] of Object.entries(parseObject(text))) {
    const found = members.get(name) ?? [];
    const isKnown = members.has(name) || members.size < MEMBERS_MAX_COUNT;
    if (!isKnown || name.length > SAMPLE_MAX_LENGTH) continue;
    members.set(name, found);
    const written = typeof value === 'string' ? value : toExactJson(value ?? '');
    addSample(found, written);
  }
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function addSample(samples: string[], text: string): void {
  if (samples.length === SAMPLES_MAX_COUNT) return;
  const value = toStorable(text.slice(0, SAMPLE_MAX_LENGTH));
  if (value !== '' && !samples.includes(value)) samples.push(value);
}

function addId(column: ColumnIds, id: string): void {
  if (isBlank(id)) return;
  column.isFilled = true;
  if (column.ids.size < IDS_MAX_COUNT && isUuid(id)) column.ids.add(id.toLowerCase());
}
