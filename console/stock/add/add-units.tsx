import { useQueryClient } from '@tanstack/react-query';
import { api, type Unit } from '../../api.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Field, FormButtons, SelectField } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { showToast } from '../../parts/message/toast-store.ts';
import { lazyPart } from '../../parts/page/lazy-part.tsx';
import { texts as shared } from '../../parts/text/texts.ts';
import { useSession } from '../../session/session.tsx';
import { readPrice } from '../price.ts';
import { ProjectChoice } from '../project-choice.tsx';
import { StatusOptions } from '../status-options.tsx';
import { stockTexts } from '../stock-texts.ts';
import { texts as unitTexts } from '../texts.ts';
import { UNIT_TYPES } from '../unit-fields.ts';
import { removeUnits, showUnits } from './remove-units.ts';
import { texts } from './texts.ts';
import { planUnits, readStep, useTypedUnits } from './typed-units.ts';
import './add-units.css';

const Planned = lazyPart(() => import('./planned.tsx'));

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
  const { typed, type, control } = useTypedUnits();
  const project = projectId ?? typed.project;
  const currency = me.account.defaultCurrency ?? null;
  const units = planUnits(typed, currency);
  const isBuilding = typed.how === 'building';

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
      body: { units },
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
            <LevelFields control={control} />
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
          <SharedFields control={control} />
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

type Control = ReturnType<typeof useTypedUnits>['control'];

/** The levels of a building, how many units each has, and the pattern of their names. */
function LevelFields({ control }: { control: Control }) {
  return (
    <>
      <Field label={texts.fromLevel} type="number" required {...control('fromLevel')} />
      <Field label={texts.toLevel} type="number" required {...control('toLevel')} />
      <Field label={texts.perLevel} type="number" min="1" required {...control('perLevel')} />
      <Field label={texts.pattern} required hint={texts.patternHint} {...control('pattern')} />
    </>
  );
}

/** The fields whose values all new units get. */
function SharedFields({ control }: { control: Control }) {
  return (
    <>
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
    </>
  );
}
