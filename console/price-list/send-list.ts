import { api } from '../api.ts';
import type { components } from '../../client/src/schema.ts';
import { nameFields, toSentence } from '../parts/text/sentence.ts';
import { planChanges, setsZero, type PlannedChange } from '../stock/bulk/batch.ts';
import { stockTexts } from '../stock/stock-texts.ts';
import { texts as unitTexts } from '../stock/texts.ts';
import { readProjectUnits } from '../stock/project-units.ts';
import { texts } from './texts.ts';

type PriceListRow = components['schemas']['PriceListRow'];

interface RefusedCell {
  row: number;
  column: string;
  reason: string;
}

/** The changes that a price list would make. */
export interface ListPlan {
  planned: PlannedChange[];
  unchanged: number;
  refused: RefusedCell[];
  ignoredColumns: readonly string[];
}

/** Makes a dry run of a price list: which units it would change, row by row. */
export async function planList(projectId: string, list: Blob | string): Promise<ListPlan> {
  const { data } = await api.PUT('/stock/projects/{projectId}/price-list.csv', {
    params: { path: { projectId }, query: { dryRun: 'true' } },
    body: list as string,
    bodySerializer: (body: unknown) => body as Blob,
    headers: { 'Content-Type': 'text/csv' },
  });
  const units = await readProjectUnits(projectId);
  const planned = await planChanges(data.results, new Map(units.map((unit) => [unit.id, unit])));
  return {
    planned,
    unchanged: data.summary.unchanged,
    refused: data.results.flatMap(listRefused),
    ignoredColumns: data.ignoredColumns,
  };
}

interface Fault {
  column?: string;
  detail?: string;
}

function listRefused(result: PriceListRow): RefusedCell[] {
  const { row, problem } = result;
  if (setsZero(result)) return [{ row, column: 'price', reason: unitTexts.noPriceValue }];
  if (problem === null) return [];
  if (problem['code'] === 'precondition_failed') return [{ row, column: '', reason: texts.isOld }];
  const faults = (problem['errors'] ?? []) as Fault[];
  const { detail: whole = '' } = problem as Fault;
  return (faults.length === 0 ? [{ detail: whole }] : faults).map(
    ({ column = '', detail = '' }: Fault) => ({
      row,
      column,
      reason: toSentence(nameFields(detail, nameColumn)),
    }),
  );
}

/** Names a column as the page does. A person who edits the file must also find the column of the text there. */
function nameColumn(name: string): string {
  const label = stockTexts.fields[name] ?? name;
  return name === 'priceDisplay' ? `${label} (${name})` : label;
}
