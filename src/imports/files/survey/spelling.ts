import type { Columns } from '../columns/columns.ts';
import { DATE_FIELDS } from '../columns/history-fields.ts';
import type { NameOrder } from '../columns/person-names.ts';
import type { DateOrder } from '../dates.ts';
import type { Spelling } from '../rows/file-shape.ts';
import type { Survey } from './survey.ts';

/** The orders that the user names. */
interface NamedOrders {
  dateOrder: DateOrder | undefined;
  nameOrder: NameOrder | undefined;
}

/**
 * Decides how dates and names are written: as the user says, or else as the file shows. Throws a FileError when neither tells.
 */
export function decideSpelling(
  { isLastFirst }: Columns,
  { dates }: Survey,
  { dateOrder, nameOrder }: NamedOrders,
): Spelling {
  const named = DATE_FIELDS.map((field) => [field, dateOrder]);
  const dateOrders = dateOrder === undefined ? dates.decide() : Object.fromEntries(named);
  const order = nameOrder ?? (isLastFirst ? 'last-first' : undefined);
  return {
    ...(Object.keys(dateOrders).length > 0 && { dateOrders }),
    ...(order !== undefined && { nameOrder: order }),
  };
}
