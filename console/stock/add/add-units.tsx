import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, ifMatch, type Unit } from '../../api.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { useDialogDraft } from '../../parts/draft/dialog-draft.ts';
import { Field, FormButtons, SelectField } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { closeToast, showToast } from '../../parts/message/toast-store.ts';
import { lazyPart } from '../../parts/page/lazy-part.tsx';
import { texts as shared } from '../../parts/text/texts.ts';
import { useSession } from '../../session/session.tsx';
import { readAmount, readPrice } from '../price.ts';
import { ProjectChoice } from '../project-choice.tsx';
import { StatusOptions } from '../status-options.tsx';
import { stockTexts } from '../stock-texts.ts';
import { texts as unitTexts } from '../texts.ts';
import { showOwnChange } from '../unit-data.ts';
import { UNIT_TYPES, type UnitStatusName } from '../unit-fields.ts';
import { planBuilding, type NewUnit } from './plan-units.ts';
import { texts } from './texts.ts';
import './add-units.css';

const Planned = lazyPart(() => import('./planned.tsx'));

const EMPTY = {
  project: '',
  how: 'one',
  name: '',
  fromLevel: '1',
  toLevel: '3',
  perLevel: '4',
  pattern: 'Apartment {level}{position:2}',
  price: '',
  perLevelStep: '',
  perPositionStep: '',
  status: 'Coming Soon',
  unitType: '',
  bedrooms: '',
  bathrooms: '',
  carSpaces: '',
};
type Typed = typeof EMPTY;
type StepName = 'perLevelStep' | 'perPositionStep';

/** The dialog that creates one unit, or the units of a building by level and position with price steps. */
export default function AddUnits({
  projectId,
  onClose,
}: {
  projectId: string | undefined;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const { me } = useSession();
  const [draft, keep] = useDialogDraft('new-units');
  const typed: Typed = draft === '' ? EMPTY : { ...EMPTY, ...(JSON.parse(draft) as Typed) };
  const project = projectId ?? typed.project;
  const currency = me.account.defaultCurrency ?? null;
  const units = planUnits(typed, currency);
  const isBuilding = typed.how === 'building';
  const type = (name: keyof Typed, value: string): void =>
    keep(JSON.stringify({ ...typed, [name]: value }));
  const control = (name: keyof Typed) => ({
    name,
    value: typed[name],
    onChange: ({ target: { value } }: { target: { value: string } }) => type(name, value),
  });

  const isPrice =
    readPrice(typed.price) !== undefined && units.every(({ price }) => price == null || price > 0);
  const isStep = (name: StepName): boolean => !isBuilding || !Number.isNaN(readStep(typed[name]));
  const step = (name: StepName) => ({
    error: isStep(name) ? undefined : texts.stepError,
    ...control(name),
  });

  async function add(): Promise<void> {
    if (!isPrice || !isStep('perLevelStep') || !isStep('perPositionStep')) return;
    const { data } = await api.POST('/stock/projects/{projectId}/units', {
      params: { path: { projectId: project } },
      body: { units: units as object[] } as never,
    });
    showUnits(queries);
    const added = (data as { data: Unit[] }).data;
    showToast({
      text: texts.added(added.length),
      onUndo: () => void removeUnits(queries, added),
    });
    onClose();
  }

  return (
    <Dialog title={texts.title} shape="wide" onClose={onClose}>
      <Form onSubmit={add}>
        <div className="add-units">
          {projectId === undefined && (
            <ProjectChoice value={project} onChange={(id) => type('project', id)} />
          )}
          <SelectField label={texts.how} {...control('how')}>
            <option value="one">{texts.one}</option>
            <option value="building">{texts.building}</option>
          </SelectField>
          {isBuilding ? (
            <>
              <Field label={texts.fromLevel} type="number" required {...control('fromLevel')} />
              <Field label={texts.toLevel} type="number" required {...control('toLevel')} />
              <Field
                label={texts.perLevel}
                type="number"
                min="1"
                required
                {...control('perLevel')}
              />
              <Field
                label={texts.pattern}
                required
                hint={texts.patternHint}
                {...control('pattern')}
              />
            </>
          ) : (
            <Field label={texts.name} required maxLength={1_000} {...control('name')} />
          )}
          <Field
            label={isBuilding ? texts.price : texts.priceOne}
            inputMode="decimal"
            error={isPrice ? undefined : unitTexts.noPriceValue}
            {...control('price')}
          />
          {isBuilding && (
            <>
              <Field label={texts.perLevelStep} {...step('perLevelStep')} />
              <Field label={texts.perPositionStep} {...step('perPositionStep')} />
            </>
          )}
          <SelectField label={stockTexts.fields['status'] ?? ''} {...control('status')}>
            <StatusOptions />
          </SelectField>
          <SelectField label={stockTexts.fields['unitType'] ?? ''} {...control('unitType')}>
            <option value="">{stockTexts.emptyValue}</option>
            {UNIT_TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </SelectField>
          {(['bedrooms', 'bathrooms', 'carSpaces'] as const).map((name) => (
            <Field
              key={name}
              label={stockTexts.fields[name] ?? name}
              type="number"
              min="0"
              step="any"
              {...control(name)}
            />
          ))}
        </div>
        <Planned units={units} isBuilding={isBuilding} currency={currency} projectId={project} />
        <FormButtons
          action={texts.action(units.length)}
          onCancel={onClose}
          cancel={shared.cancel}
        />
      </Form>
    </Dialog>
  );
}

function showUnits(queries: QueryClient): void {
  showOwnChange(queries);
  void queries.invalidateQueries({ queryKey: ['project'] });
}

const REQUESTS_AT_ONCE = 4;

/** Deletes the units that were added, except those that somebody has changed or linked since. */
async function removeUnits(queries: QueryClient, added: readonly Unit[]): Promise<void> {
  const progress = showToast({ text: texts.removing(added.length), lastsMs: Infinity });
  // The requests share the iterator, so that each takes the next unit.
  const left = added.values();
  let removed = 0;
  async function removeNext(): Promise<void> {
    for (const { id, etag } of left) {
      const params = { path: { unitId: id }, header: ifMatch(etag) };
      await api.DELETE('/stock/units/{unitId}', { params }).then(
        () => (removed += 1),
        () => undefined,
      );
    }
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, removeNext));
  closeToast(progress);
  showToast({ text: texts.removed(removed, added.length) });
  showUnits(queries);
}

function planUnits(typed: Typed, currency: string | null): NewUnit[] {
  const amount = (text: string): number | null => (text === '' ? null : Number(text));
  const shares = {
    status: typed.status as UnitStatusName,
    ...(currency !== null && { currency }),
    ...(typed.unitType !== '' && { unitType: typed.unitType as (typeof UNIT_TYPES)[number] }),
    bedrooms: amount(typed.bedrooms),
    bathrooms: amount(typed.bathrooms),
    carSpaces: amount(typed.carSpaces),
  };
  const price = readPrice(typed.price) ?? null;
  if (typed.how === 'one') return [{ ...shares, name: typed.name.trim(), price }];
  return planBuilding({
    fromLevel: Number(typed.fromLevel),
    toLevel: Number(typed.toLevel),
    perLevel: Number(typed.perLevel),
    pattern: typed.pattern,
    price,
    perLevelStep: readStep(typed.perLevelStep) || 0,
    perPositionStep: readStep(typed.perPositionStep) || 0,
    shared: shares,
  });
}

const readStep = (text: string): number => (text.trim() === '' ? 0 : readAmount(text));
