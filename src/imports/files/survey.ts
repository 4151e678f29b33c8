import { isBlank, isUuid, unguardCell } from '../../platform/text/index.ts';
import { readCell } from './cells.ts';
import type { Columns } from './columns.ts';
import { createDateSurvey, type DateSurvey } from './date-survey.ts';
import { findLatestMs } from './dates.ts';
import type { ContactsFile } from './open-file.ts';
import { readFilledRecords } from './read-rows.ts';

/** The findings of the first reading of a file. */
export interface Survey {
  rows: number;
  /** Up to three different values of each column, as they are read. */
  samples: string[][];
  /** The ids in each column of ids whose header was recognized, and whether it has any value. */
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

/** Reads a file to its end. Throws the FileErrors that `readRows` throws. */
export async function surveyRows(
  file: ContactsFile,
  { fromLine, now }: { fromLine: number; now: Date },
): Promise<Survey> {
  const { layout } = file;
  const survey: Survey = {
    rows: 0,
    samples: layout.fields.map(() => []),
    dates: createDateSurvey(layout, findLatestMs(now)),
    ids: new Map(layout.idColumns.map((at) => [at, { isFilled: false, ids: new Set() }])),
  };
  for await (const records of readFilledRecords(file, fromLine)) {
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
    const value = readCell(isReport ? unguardCell(cell) : cell).slice(0, SAMPLE_MAX_LENGTH);
    if (value !== '' && !found.includes(value)) found.push(value);
  }
  for (const [at, column] of ids) addId(column, readCell(cells[at] ?? '').trim());
}

function addId(column: ColumnIds, id: string): void {
  if (isBlank(id)) return;
  column.isFilled = true;
  if (column.ids.size < IDS_MAX_COUNT && isUuid(id)) column.ids.add(id.toLowerCase());
}
