import { useState } from 'react';
import type { Contact } from '../api.ts';
import { useUsers } from '../parts/domain/names.ts';
import { STAGES, STAGES_WITH_UNIT } from '../parts/domain/status.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { Field, SelectField } from '../parts/form/field.tsx';
import { readText } from '../parts/form/form.tsx';
import type { BulkAction } from './bulk-actions.ts';
import { bulkTexts as texts } from './dialog-texts.ts';
import { NONE, useTags } from './filter-values.ts';
import { texts as pageTexts } from './texts.ts';

/** A change of the selected contacts, or the undo of the last one. */
export type BulkQuestion = BulkAction['kind'] | 'undo';

const FIELDS = ['value'];

/** Shows the fields of a question. */
export function Question({ question }: { question: BulkQuestion }) {
  const users = useUsers();
  const tags = useTags();
  switch (question) {
    case 'undo':
      return null;
    case 'archive':
      return <p>{texts.archiveHint}</p>;
    case 'stage':
      return <StageField />;
    case 'assign':
      return (
        <SelectField label={texts.assignTo} name="value" required>
          <option value="">{texts.choosePerson}</option>
          <option value={NONE}>{pageTexts.nobody}</option>
          {users
            .filter(({ active }) => active)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </SelectField>
      );
    case 'addTag':
      return (
        <>
          <FormDraft subject="bulk-contacts-tag" fields={FIELDS} />
          <Field
            label={texts.tag}
            name="value"
            hint={texts.tagHint}
            list="bulk-tags"
            required
            maxLength={100}
            autoFocus
          />
          <datalist id="bulk-tags">
            {tags.map(({ id, label }) => (
              <option key={id} value={label} />
            ))}
          </datalist>
        </>
      );
    case 'removeTag':
    default:
      return (
        <SelectField label={texts.tag} name="value" required>
          {tags.map(({ id, label }) => (
            <option key={id} value={`${id} ${label}`}>
              {label}
            </option>
          ))}
        </SelectField>
      );
  }
}

/** Reads the change from the fields of its question. */
export function readAction(kind: BulkAction['kind'], values: FormData): BulkAction {
  const value = readText(values, 'value') ?? '';
  switch (kind) {
    case 'stage':
      return { kind, stage: value as NonNullable<Contact['stage']> };
    case 'assign':
      return { kind, userId: value === NONE ? null : value };
    case 'addTag':
      return { kind, label: value };
    case 'removeTag': {
      const [tagId = '', ...label] = value.split(' ');
      return { kind, tagId, label: label.join(' ') };
    }
    case 'archive':
    default:
      return { kind };
  }
}

/** The field of the new stage. At a stage with a unit, it says that the change of several contacts links none. */
function StageField() {
  const [stage, setStage] = useState('');
  return (
    <SelectField
      label={texts.newStage}
      name="value"
      required
      hint={STAGES_WITH_UNIT.includes(stage) ? texts.stageHint : undefined}
      onChange={({ target }) => setStage(target.value)}
    >
      <option value="">{texts.chooseStage}</option>
      {STAGES.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </SelectField>
  );
}
