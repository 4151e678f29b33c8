import type { Columns } from '../columns/columns.ts';
import type { DateField } from '../columns/history-fields.ts';
import type { NameOrder } from '../columns/person-names.ts';
import type { DateOrder } from '../dates.ts';

/** How the rows of a file are read. The import log stores it with each row, so that a retry reads the row in the same way. */
export interface FileShape extends Pick<Columns, 'fields'> {
  name: string;
  /** Null for NDJSON. */
  delimiter: string | null;
  /** Absent when no two columns share a field, and in records of earlier releases. */
  shared?: Columns['shared'];
  /** Whether the file is a report of refused rows, whose cells have guards. Absent when it is not. */
  isReport?: boolean;
  /** How its dates and names are written. Absent when there is nothing to tell. */
  spelling?: Spelling;
  /** The values that each row gets, whatever it contains. Absent when the user sets none. */
  set?: RowValues;
}

/** The values that a user sets for all rows of a file. Their tags are added to those of a row. */
export interface RowValues {
  source?: string;
  tags?: string[];
  projectId?: string;
  assignedAccountUserId?: string;
}

/** The order of the dates of each field, and that of names. */
export interface Spelling {
  dateOrders?: Partial<Record<DateField, DateOrder>>;
  nameOrder?: NameOrder;
}

type Details = Pick<FileShape, 'spelling' | 'set'>;

/** Describes how the rows of a file are read, for the import log. */
export function makeShape(
  name: string,
  { delimiter, fields, shared, isReport }: Columns & Pick<FileShape, 'delimiter'>,
  { spelling = {}, set }: Details,
): FileShape {
  return {
    name,
    delimiter,
    fields,
    ...(shared.length > 0 && { shared }),
    ...(isReport && { isReport }),
    ...(Object.keys(spelling).length > 0 && { spelling }),
    ...(set !== undefined && { set }),
  };
}
