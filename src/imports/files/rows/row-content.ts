import { unguardCell } from '../../../platform/text/index.ts';
import { readCell, splitValues } from './cells.ts';
import { readOptOut } from './flags.ts';
import { EXTRA_FIELDS, type ExtraField, type FileField } from '../columns/field-names.ts';
import type { FileShape } from './file-shape.ts';

/** The content of a row. */
export interface RowContent {
  /** The import request: for CSV a text for each field, for NDJSON the parsed JSON. */
  value: unknown;
  /** The cells of fields that an import request does not have. */
  extra: Partial<Record<ExtraField, string>>;
  /** The cells whose field has the value of another cell, as a note shows them: `Home Phone: 09 555 0152`. */
  others: string[];
}

/** A column that is read. */
interface Source {
  at: number;
  field: FileField;
  isExtra: boolean;
  header: string;
  address: string | undefined;
}

/** Reads the cells of a row. */
export type RowReader = (cells: string[]) => RowContent;

type RowShape = Pick<FileShape, 'fields' | 'shared' | 'isReport'>;

/**
 * Creates the function that reads the cells of a row. When several columns have one field, the first filled cell of the row
 * counts. When the file has several addresses, the first one with a filled cell counts as a whole. Tags of several columns are
 * combined.
 */
export function createRowReader(shape: RowShape): RowReader {
  const sources = listSources(shape);
  const hasAddresses = sources.some(({ address }) => address !== undefined);
  const read = shape.isReport === true ? (cell: string) => readCell(unguardCell(cell)) : readCell;
  return (cells) => {
    const content: Filled = { value: {}, extra: {}, others: [] };
    const texts = sources.map(({ at }) => read(cells[at] ?? ''));
    const addressOfRow = hasAddresses ? findAddress(sources, texts) : undefined;
    for (const [index, source] of sources.entries()) {
      const text = texts[index];
      if (text !== undefined && text !== '') fill(content, source, text, addressOfRow);
    }
    return content;
  };
}

interface Filled extends RowContent {
  value: Texts;
}

function fill(content: Filled, source: Source, text: string, addressOfRow: string | undefined) {
  const { field, isExtra, header, address } = source;
  const texts: Texts = isExtra ? content.extra : content.value;
  if (field === 'tags' || (field === 'tag' && (texts.tag !== undefined || isList(text)))) {
    texts.tags = [texts.tags ?? [], toTags(text)].flat().join(',');
    return;
  }
  if (field === 'noEmail' || field === 'noCalls') {
    // It is enough that one column says so.
    if (texts[field] === undefined || readOptOut(text)) texts[field] = text;
    return;
  }
  const isOfOtherAddress = address !== undefined && address !== addressOfRow;
  for (const value of splitValues(text, field))
    if (texts[field] === undefined && !isOfOtherAddress) texts[field] = value;
    else if (texts[field]?.trim() !== value.trim())
      content.others.push(`${header || field}: ${value.trim()}`);
}

type Texts = Partial<Record<FileField, string>>;

/** Lists the columns that have a field. Columns that share a field are in the order of preference. */
function listSources({ fields, shared = [] }: RowShape): Source[] {
  const isShared = new Set(shared.map(({ at }) => at));
  const alone = fields.flatMap((_field, at) => (isShared.has(at) ? [] : { at, header: '' }));
  return [...alone, ...shared].flatMap((column) => {
    const field = fields[column.at] ?? null;
    return field === null
      ? []
      : { address: undefined, ...column, field, isExtra: isExtraField(field) };
  });
}

function findAddress(sources: Source[], texts: string[]): string | undefined {
  return sources.find(({ address }, index) => address !== undefined && texts[index] !== '')
    ?.address;
}

function isExtraField(field: FileField): boolean {
  return EXTRA_FIELDS.some((each) => each === field);
}

const TRUE = /^\s*(true|t|yes|y|1|x)\s*$/i;

/** Whether the other system has deleted the record. */
export function isDeleted({ extra: { deleted } }: RowContent): boolean {
  return deleted !== undefined && TRUE.test(deleted);
}

/** Whether a cell has several labels: Zoho writes all labels into the column "Tag". */
function isList(text: string): boolean {
  return LABEL_END.test(text);
}

const LABEL_END = /:::|[,;|\r\n]/;

/*
 * Converts a cell to labels that are separated by commas, as in an import request. Mailchimp puts each label in quotes, HubSpot
 * and Outlook separate labels by semicolons, and Google by `:::`, with an asterisk before its own labels.
 */
function toTags(text: string): string {
  const labels = text.replaceAll('"', '').split(LABEL_END);
  return labels.map((label) => label.replace(/^\s*\*/, '').trim()).join(',');
}
