import { useLayoutEffect, useState } from 'react';
import type { Unit } from '../../api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, FormButtons, SelectField } from '../../parts/field.tsx';
import { FieldError, Form, readText } from '../../parts/form.tsx';
import { formatNumber } from '../../parts/format.ts';
import { isSelected, type Selection } from '../../parts/grid/index.ts';
import { Notice } from '../../parts/notice.tsx';
import { texts as shared } from '../../parts/texts.ts';
import { toFilterObject, type UnitQuery } from '../filter.ts';
import { readAmount } from '../price.ts';
import { StatusOptions } from '../status-options.tsx';
import { texts as unitTexts } from '../texts.ts';
import { readUnits } from '../unit-data.ts';
import {
  planChanges,
  rehearse,
  setsZero,
  UNITS_MAX_COUNT,
  type BatchRow,
  type PlannedChange,
} from './batch.ts';
import type BulkPreview from './bulk-preview.tsx';
import type { RefusedRow } from './refused-rows.tsx';
import { texts } from './texts.ts';

interface BulkDialogProps {
  action: 'status' | 'price';
  selection: Selection;
  filter: UnitQuery;
  rows: readonly (Unit | undefined)[];
  count: number;
  onStored: () => void;
  onClose: () => void;
  onDone: () => void;
}

/** The change that a person asks for: members of the body of a batch. */
type Wish = Pick<Parameters<typeof rehearse>[0], 'set' | 'adjust'>;

interface Plan {
  wish: Wish;
  planned: PlannedChange[];
  unchanged: number;
  /** The rows of the refused units: the name, and why the unit is refused. */
  refused: RefusedRow[];
  Preview: typeof BulkPreview;
}

/** The dialog that asks for a change of the selected units, previews it, and stores it. */
export default function BulkDialog({
  action,
  selection,
  filter,
  rows,
  count,
  onStored,
  onClose,
  onDone,
}: BulkDialogProps) {
  const [plan, setPlan] = useState<Plan>();
  useLayoutEffect(() => {
    // The new step replaces the focused button, so the focus falls to the body. Move it into the new step.
    if (document.activeElement !== document.body) return;
    const step = plan === undefined ? 'select' : '.bulk-preview';
    document.querySelector<HTMLElement>(`dialog[open] ${step}`)?.focus();
  }, [plan]);

  async function makePlan(wish: Wish): Promise<void> {
    const { all, ids } = selection;
    const chosen = all ? { filter: toFilterObject(filter) } : { ids: [...ids] };
    // The preview loads during the dry run, so that it shows at once.
    const [results, { default: Preview }] = await Promise.all([
      rehearse({ ...chosen, ...wish }),
      import('./bulk-preview.tsx'),
    ]);
    const wanted = results.filter(({ id }) => id !== null && isSelected(selection, id));
    const known = new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.id, row]])));
    const planned = await planChanges(wanted, known);
    const refused = await listRefused(wanted, known, wish);
    const unchanged = wanted.length - planned.length - refused.length;
    setPlan({ wish, planned, unchanged, refused, Preview });
  }

  return (
    <Dialog title={texts[action]} shape={plan === undefined ? 'normal' : 'wide'} onClose={onClose}>
      {count > UNITS_MAX_COUNT && <Notice look="warning">{texts.tooMany}</Notice>}
      {count <= UNITS_MAX_COUNT && plan === undefined && (
        <Form onSubmit={async (values) => makePlan(readWish(action, values))}>
          <p className="bulk-soft">{texts.selected(count)}</p>
          {action === 'status' ? <StatusFields /> : <PriceFields />}
          <FormButtons action={texts.preview} onCancel={onClose} cancel={shared.cancel} />
        </Form>
      )}
      {plan !== undefined && (
        <plan.Preview
          planned={plan.planned}
          unchanged={plan.unchanged}
          refused={plan.refused}
          onReload={() => makePlan(plan.wish)}
          onBack={() => setPlan(undefined)}
          onStored={onStored}
          onDone={onDone}
        />
      )}
    </Dialog>
  );
}

/** Lists the refused units by name, with the reason. A price is refused when it would be 0 or less, or higher than the API stores. */
async function listRefused(
  rows: readonly BatchRow[],
  known: ReadonlyMap<string, Unit>,
  wish: Wish,
): Promise<RefusedRow[]> {
  const refused = rows.filter((row) => row.problem !== null || setsZero(row));
  const missing = refused.flatMap(({ id }) => (id === null || known.has(id) ? [] : id));
  const read = await readUnits(missing);
  return refused.map(({ index, id, problem }) => ({
    id: String(index),
    cells: [
      (known.get(id ?? '') ?? read.get(id ?? ''))?.name ?? '',
      problem === null || (wish.adjust !== undefined && problem['code'] === 'invalid_request')
        ? explainPrice(wish, problem !== null)
        : String(problem['detail']),
    ],
  }));
}

/** Explains why a price is refused. The API refuses a raised price only when it is too high. */
function explainPrice({ adjust }: Wish, isRefused: boolean): string {
  const { amount, percent } = adjust?.price ?? {};
  return isRefused && (amount ?? percent ?? 0) > 0 ? texts.priceMax : unitTexts.noPriceValue;
}

function readWish(action: 'status' | 'price', values: FormData): Wish {
  if (action === 'status')
    return { set: { status: readText(values, 'status') } as NonNullable<Wish['set']> };
  const how = readText(values, 'how') as 'amount' | 'percent';
  const amount = readAmount(readText(values, 'amount') ?? '');
  if (Number.isNaN(amount)) throw new FieldError('amount', texts[`${how}Hint`]);
  const roundTo = Number(readText(values, 'roundTo') ?? 0);
  return { adjust: { price: { [how]: amount, ...(roundTo > 0 && { roundTo }) } } };
}

function StatusFields() {
  return (
    <SelectField label={texts.statusLabel} name="status">
      <StatusOptions />
    </SelectField>
  );
}

const ROUNDS = [100, 500, 1_000, 5_000, 10_000];

function PriceFields() {
  const [how, setHow] = useState<'percent' | 'amount'>('percent');
  return (
    <>
      <SelectField
        label={texts.by}
        name="how"
        value={how}
        onChange={({ target }) => setHow(target.value === 'amount' ? 'amount' : 'percent')}
      >
        <option value="percent">{texts.percent}</option>
        <option value="amount">{texts.amount}</option>
      </SelectField>
      <Field
        label={texts[how]}
        name="amount"
        required
        inputMode="decimal"
        hint={texts[`${how}Hint`]}
      />
      <SelectField label={texts.round} name="roundTo" defaultValue="1000">
        <option value="0">{texts.roundNone}</option>
        {ROUNDS.map((round) => (
          <option key={round} value={round}>
            {formatNumber(round)}
          </option>
        ))}
      </SelectField>
      <p className="bulk-soft">{texts.priceStays}</p>
    </>
  );
}
