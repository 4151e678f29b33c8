interface LeadFigure {
  start: string;
  group?: string | null;
  newContacts: number;
  enquiries: number;
}

interface StockFigure {
  status: string;
  currency?: string | null;
  count: number;
  value: number;
  priced: number;
}

/** The number of units of some statuses, and the sum of their prices for each currency; '' is that of an account that names none. */
export interface StockSum {
  count: number;
  unpriced: number;
  values: { currency: string; value: number }[];
}

/** Sums the units with these statuses. Prices are summed for each currency; `unpriced` counts the units without a price. */
export function sumStock(figures: readonly StockFigure[], statuses: readonly string[]): StockSum {
  const chosen = figures.filter(({ status }) => statuses.includes(status));
  const values = new Map<string, number>();
  for (const { currency, value, priced } of chosen)
    if (priced > 0) values.set(currency ?? '', (values.get(currency ?? '') ?? 0) + value);
  return {
    count: chosen.reduce((sum, { count }) => sum + count, 0),
    unpriced: chosen.reduce((sum, { count, priced }) => sum + count - priced, 0),
    values: Array.from(values, ([currency, value]) => ({ currency, value })),
  };
}

/** Counts the new contacts from a day on. */
export const countSince = (figures: readonly LeadFigure[], day: string): number =>
  figures.reduce((sum, { start, newContacts }) => sum + (start >= day ? newContacts : 0), 0);

export interface Total {
  id: string;
  newContacts: number;
  enquiries: number;
}

/** Adds up the figures of each group, the largest group first. The group null gets the id `none`, as in the filters of lists. */
export function sumGroups(figures: readonly LeadFigure[]): Total[] {
  return sum(figures, ({ group }) => group ?? 'none').toSorted(
    (a, b) => b.newContacts - a.newContacts,
  );
}

/** Adds up the figures of each interval that begins on one of these days. An interval without figures gets zeros. */
export function sumIntervals(figures: readonly LeadFigure[], starts: readonly string[]): Total[] {
  const totals = new Map(sum(figures, ({ start }) => start).map((total) => [total.id, total]));
  return starts.map((id) => totals.get(id) ?? { id, newContacts: 0, enquiries: 0 });
}

function sum(figures: readonly LeadFigure[], idOf: (figure: LeadFigure) => string): Total[] {
  const totals = new Map<string, Total>();
  for (const figure of figures) {
    const id = idOf(figure);
    const total = totals.get(id) ?? { id, newContacts: 0, enquiries: 0 };
    total.newContacts += figure.newContacts;
    total.enquiries += figure.enquiries;
    totals.set(id, total);
  }
  return [...totals.values()];
}
