import type { Unit } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { Field, FormButtons } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { hidesPrice } from './price.ts';
import { changeTexts as texts } from './change-texts.ts';
import type { UnitChange } from './unit-data.ts';

const FIELDS = ['priceDisplay'];

export interface Question {
  unit: Unit;
  change: UnitChange;
}

interface QuestionProps {
  question: Question;
  onAnswer: (change: UnitChange) => void;
  onClose: () => void;
}

/** The dialog before a unit is withdrawn, or loses its price. */
export default function ChangeDialog(props: QuestionProps) {
  const { status } = props.question.change;
  return status === 'Withdrawn' ? <WithdrawDialog {...props} /> : <PriceTextDialog {...props} />;
}

function WithdrawDialog({ question: { unit, change }, onAnswer, onClose }: QuestionProps) {
  return (
    <Dialog title={texts.withdraw.title(unit.name ?? '')} onClose={onClose}>
      <Form onSubmit={async () => onAnswer(change)}>
        <p>{texts.withdraw.explain}</p>
        <FormButtons action={texts.withdraw.action} onCancel={onClose} cancel={shared.cancel} />
      </Form>
    </Dialog>
  );
}

function PriceTextDialog({ question: { unit, change }, onAnswer, onClose }: QuestionProps) {
  const text = hidesPrice(unit) ? unit.priceDisplay : texts.priceText.suggestion;
  return (
    <Dialog title={texts.priceText.title(unit.name ?? '')} onClose={onClose}>
      <Form
        onSubmit={async (values) =>
          onAnswer({ ...change, priceDisplay: readText(values, 'priceDisplay') })
        }
      >
        <FormDraft subject={`price-text:${unit.id}`} fields={FIELDS} />
        <p>{texts.priceText.explain}</p>
        <Field
          label={texts.priceText.label}
          name="priceDisplay"
          hint={texts.priceText.hint}
          defaultValue={text ?? ''}
          maxLength={1_000}
        />
        <FormButtons action={texts.priceText.action} onCancel={onClose} cancel={shared.cancel} />
      </Form>
    </Dialog>
  );
}
