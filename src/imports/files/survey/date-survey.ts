import type { Columns } from '../columns/columns.ts';
import { DATE_FIELDS, type DateField } from '../columns/history-fields.ts';
import { DATE_ORDERS, readDate, type DateOrder } from '../dates.ts';
import { FileError } from '../file-error.ts';
import { readCell } from '../rows/cells.ts';

type DateOrders = Partial<Record<DateField, DateOrder>>;

/** Finds the order in which the dates of each column are written. */
export interface DateSurvey {
  add: (cells: string[], line: number) => void;
  /**
   * Returns the order of each field; a field whose cells do not depend on it is left out. Throws a FileError when the cells do
   * not tell the order.
   */
  decide: () => DateOrders;
}

/** The lines of a column that first show an order, or leave it unclear. */
interface Findings {
  /** The first line with a date that is valid only in this order. */
  deciding: Map<DateOrder, number>;
  unclear?: { line: number; orders: DateOrder[] };
}

const ORDER_NAMES: Record<DateOrder, string> = {
  dmy: 'day first',
  mdy: 'month first',
  ymd: 'year first',
};

/**
 * Creates the survey of the date columns of a file. A column has the order of the first cell that is a date in only one order.
 */
export function createDateSurvey({ fields, names }: Columns, latestMs: number): DateSurvey {
  const columns = fields.flatMap((field, at) => {
    const dateField = DATE_FIELDS.find((each) => each === field);
    const findings: Findings = { deciding: new Map() };
    return dateField === undefined ? [] : [{ at, field: dateField, findings }];
  });

  function add(cells: string[], line: number): void {
    for (const { at, findings } of columns)
      addDate(findings, readCell(cells[at] ?? ''), { line, latestMs });
  }

  function decide(): DateOrders {
    const orders: DateOrders = {};
    for (const { at, field, findings } of columns) {
      const order = decideOrder(names[at] ?? field, findings);
      if (order !== null) orders[field] ??= order;
    }
    return orders;
  }

  return { add, decide };
}

function addDate(
  findings: Findings,
  text: string,
  { line, latestMs }: { line: number; latestMs: number },
): void {
  const reading = readDate(text, latestMs);
  const orders = DATE_ORDERS.filter((order) => reading[order] !== undefined);
  const [only] = orders;
  if (only === undefined) return;
  if (orders.length === 1) {
    if (!findings.deciding.has(only)) findings.deciding.set(only, line);
  } else if (new Set(Object.values(reading)).size > 1) findings.unclear ??= { line, orders };
}

// The errors name the line instead of the cell, which may be personal data.
function decideOrder(name: string, { deciding, unclear }: Findings): DateOrder | null {
  const [first, second] = deciding;
  if (first !== undefined && second !== undefined)
    throw askForOrder(
      `the dates of ${name} are ${describe(first)} and ${describe(second)}`,
      (option) => `${option} dmy, mdy or ymd`,
    );
  if (first !== undefined) return first[0];
  if (unclear === undefined) return null;
  throw askForOrder(
    `the dates of ${name} can be read in more than one way, the first on line ${unclear.line}`,
    (option) =>
      unclear.orders.map((order) => `${option} ${order} (${ORDER_NAMES[order]})`).join(' or '),
  );
}

function askForOrder(fault: string, nameOrders: (option: string) => string): FileError {
  const ask = (option: string) => `${fault}; say which is right with ${nameOrders(option)}`;
  return new FileError(ask('--date-order'), ask('dateOrder'), '/dateOrder');
}

function describe([order, line]: [DateOrder, number]): string {
  return `${ORDER_NAMES[order]} on line ${line}`;
}
