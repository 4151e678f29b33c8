import { Readable } from 'node:stream';
import type { Pool } from '../../platform/database/index.ts';
import { unguardCell } from '../../platform/text/index.ts';
import { readCells } from '../files/csv/csv.ts';
import type { FileOptions, Layout } from '../files/detect-layout.ts';
import { FIELDS } from '../files/columns/field-names.ts';
import { makeShape, type FileShape } from '../files/rows/file-shape.ts';
import { leaveOutForeignIds } from '../files/survey/foreign-ids.ts';
import { openFile, type ContactsFile } from '../files/open-file.ts';
import { readRows, type Row } from '../files/rows/read-rows.ts';
import { decideSpelling } from '../files/survey/spelling.ts';
import { surveyRows, type Survey } from '../files/survey/survey.ts';
import { toColumnMaps, type RunOptions, type StoredFile } from './rules.ts';
import type { Column } from './schemas.ts';
import { readChunks } from './chunk-store.ts';

type Source = Pick<StoredFile, 'id' | 'name' | 'mediaFormat' | 'encoding'>;

/** Opens the stored bytes of a file. */
function openStored(
  db: Pool,
  accountId: string,
  { id, name, mediaFormat: format, encoding }: Source,
  options: Pick<FileOptions, 'headerLine' | 'maps' | 'mayBeUnclear'>,
): Promise<ContactsFile> {
  const source = Readable.from(readChunks(db, accountId, id));
  return openFile(source, { name, format, encoding, ...options });
}

/** The findings of the check of a file. */
export interface CheckedFile {
  /** The values to store. */
  found: Pick<StoredFile, 'format' | 'rowCount' | 'headerLine' | 'delimiter' | 'columns'>;
  layout: Layout;
  survey: Survey;
}

/** Reads a file to its end, and finds how its rows are written. Throws a FileError when it cannot be imported. */
export async function checkStored(db: Pool, accountId: string, file: Source): Promise<CheckedFile> {
  const opened = await openStored(db, accountId, file, {
    headerLine: null,
    maps: [],
    mayBeUnclear: true,
  });
  const survey = await surveyRows(opened, { fromLine: 1, now: new Date() });
  const layout = await leaveOutForeignIds(db, accountId, opened.layout, survey);
  const { delimiter, firstLine } = layout;
  const isNdjson = delimiter === null;
  return {
    found: {
      format: isNdjson ? 'ndjson' : delimiter === '\t' ? 'tsv' : 'csv',
      rowCount: survey.rows,
      headerLine: isNdjson ? null : firstLine - 1,
      delimiter,
      columns: isNdjson ? listMembers(survey) : listColumns(layout, survey),
    },
    layout,
    survey,
  };
}

function listColumns(
  { header, delimiter, fields, isReport }: Layout,
  { samples }: Survey,
): Column[] {
  const headers = readCells(header, delimiter ?? ',');
  return fields.map((field, at) => {
    const text = headers[at] ?? '';
    return {
      header: (isReport ? unguardCell(text) : text).trim(),
      samples: samples[at] ?? [],
      field,
    };
  });
}

function listMembers({ members }: Survey): Column[] {
  return [...members].map(([header, samples]) => ({
    header,
    samples,
    field: FIELDS.find((field) => field === header) ?? null,
  }));
}

/** The rows of a file, and how they are read. */
export interface ReadableFile {
  shape: FileShape;
  rows: AsyncGenerator<Row[]>;
}

/** Opens a file for its import. Throws a FileError when its dates can be read in more than one way. */
export async function openForRun(
  db: Pool,
  accountId: string,
  file: Source & Pick<StoredFile, 'headerLine'>,
  { mapping = {}, set, dateOrder, nameOrder }: RunOptions,
  fromLine: number,
): Promise<ReadableFile> {
  const { headerLine } = file;
  const options = { headerLine, maps: toColumnMaps(Object.entries(mapping)) };
  const checked = await openStored(db, accountId, file, options);
  const survey = await surveyRows(checked, { fromLine: 1, now: new Date() });
  const spelling = decideSpelling(checked.layout, survey, { dateOrder, nameOrder });
  const layout = await leaveOutForeignIds(db, accountId, checked.layout, survey);
  const opened = await openStored(db, accountId, file, options);
  return {
    shape: makeShape(file.name, layout, { spelling, ...(set && { set }) }),
    rows: readRows({ ...opened, layout }, fromLine),
  };
}
