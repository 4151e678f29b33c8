import { useLayoutEffect, useState } from 'react';
import { api, type Unit } from '../../api.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Field, FormButtons, SelectField } from '../../parts/form/field.tsx';
import { FieldError, Form, readText } from '../../parts/form/form.tsx';
import { FormDraft } from '../../parts/draft/form-draft.tsx';
import { isSelected, type Selection } from '../../parts/grid/index.ts';
import { Notice } from '../../parts/message/notice.tsx';
import { formatNumber } from '../../parts/text/format.ts';
import { texts as shared } from '../../parts/text/texts.ts';
import { toFilterObject, type UnitQuery } from '../filter.ts';
import { readAmount } from '../price.ts';
import { StatusOptions } from '../status-options.tsx';
import { UNITS_MAX_COUNT } from '../unit-data.ts';
import type BulkPreview from './bulk-preview.tsx';
import type { BulkPlan, Wish } from './bulk-plan.ts';
import { texts } from './dialog-texts.ts';

const FIELDS = ['how', 'amount', 'roundTo'];

interface BulkDialogProps {
  title: string;
  /** Says how many units are selected. */
  selected: string;
  action: 'status' | 'price';
  selection: Selection;
  filter: UnitQuery;
  rows: readonly (Unit | undefined)[];
  count: number;
  onStored: () => void;
  onClose: () => void;
  onDone: () => void;
}

interface Plan extends BulkPlan {
  wish: Wish;
  Preview: typeof BulkPreview;
}

/** The dialog that asks for a change of the selected units, previews it, and stores it. */
export default function BulkDialog({
  title,
  selected,
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
    // The new step hides or removes the focused button. Move the focus into the new step.
    const { activeElement } = document;
    if (activeElement !== document.body && !activeElement?.closest('[hidden]')) return;
    const step = plan === undefined ? 'select' : '.bulk-preview';
    document.querySelector<HTMLElement>(`dialog[open] ${step}`)?.focus();
  }, [plan]);

  async function makePlan(wish: Wish): Promise<void> {
    const { all, ids } = selection;
    const chosen = all ? { filter: toFilterObject(filter) } : { ids: [...ids] };
    const params = { query: { dryRun: 'true' as const } };
    // The preview loads during the dry run, so that it shows at once.
    const [{ data }, { planBulk }, { default: Preview }] = await Promise.all([
      api.POST('/stock/units/batch', { params, body: { ...chosen, ...wish } }),
      import('./bulk-plan.ts'),
      import('./bulk-preview.tsx'),
    ]);
    const wanted = data.results.filter(({ id }) => id !== null && isSelected(selection, id));
    setPlan({ wish, Preview, ...(await planBulk(wanted, rows, wish)) });
  }

  return (
    <Dialog title={title} shape={plan === undefined ? 'normal' : 'wide'} onClose={onClose}>
      {count > UNITS_MAX_COUNT && <Notice look="warning">{texts.tooMany}</Notice>}
      {count <= UNITS_MAX_COUNT && (
        // The form stays below the preview, so that it has its values after Back.
        <div hidden={plan !== undefined}>
          <Form onSubmit={async (values) => makePlan(readWish(action, values))}>
            <p className="soft">{selected}</p>
            {action === 'status' ? <StatusFields /> : <PriceFields />}
            <FormButtons action={texts.preview} onCancel={onClose} cancel={shared.cancel} />
          </Form>
        </div>
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
      <FormDraft subject="bulk-units-price" fields={FIELDS} />
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
      <p className="soft">{texts.priceStays}</p>
    </>
  );
}
