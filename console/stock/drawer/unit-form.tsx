import { useRef, useState } from 'react';
import type { Unit } from '../../api.ts';
import { Button } from '../../parts/button/button.tsx';
import { Field, SelectField } from '../../parts/form/field.tsx';
import { texts as shared } from '../../parts/text/texts.ts';
import { canSetStatus } from '../columns.tsx';
import { readChange } from '../read-change.ts';
import { StatusOptions } from '../status-options.tsx';
import { stockTexts } from '../stock-texts.ts';
import { texts } from '../texts.ts';
import { UNIT_FIELDS, UNIT_TYPES, unitText, type UnitField } from '../unit-fields.ts';
import { unsavedText, useLeaving, type UnsavedChanges } from '../use-unsaved-changes.ts';
import { useRights } from '../use-rights.ts';
import type { ChangeUnit } from '../use-unit-changes.tsx';

/** The fields of a unit. Each is saved when the focus leaves it. */
export function UnitForm({ unit, changeUnit, unsaved }: Omit<ControlProps, 'field'>) {
  return (
    <div className="unit-form">
      {UNIT_FIELDS.map((field) => (
        <UnitControl
          key={field.name}
          unit={unit}
          field={field}
          changeUnit={changeUnit}
          unsaved={unsaved}
        />
      ))}
    </div>
  );
}

interface ControlProps {
  unit: Unit;
  field: UnitField;
  changeUnit: ChangeUnit;
  unsaved: UnsavedChanges;
}

function UnitControl({ unit, field, changeUnit, unsaved }: ControlProps) {
  const rights = useRights();
  const { name, kind } = field;
  const label = stockTexts.fields[name] ?? name;
  if (kind === 'status' || kind === 'type') {
    const isStatus = kind === 'status';
    const isAllowed = isStatus ? canSetStatus(unit, rights) : rights === 'all';
    const canSell = rights !== 'hold' || !isAllowed;
    return (
      <SelectField
        label={label}
        name={name}
        disabled={!isAllowed}
        {...(isStatus && rights !== 'all' && { hint: stockTexts.soldByOthers })}
        value={unitText(unit, name)}
        onChange={({ target: { value } }) =>
          changeUnit(unit, { [name]: value === '' ? null : value })
        }
      >
        {isStatus ? (
          <StatusOptions canSell={canSell} />
        ) : (
          ['', ...UNIT_TYPES].map((type) => (
            <option key={type} value={type}>
              {type || stockTexts.emptyValue}
            </option>
          ))
        )}
      </SelectField>
    );
  }
  return (
    <TextControl
      unit={unit}
      field={field}
      label={label}
      changeUnit={changeUnit}
      unsaved={unsaved}
    />
  );
}

/**
 * A text field of a unit. Until the save, it keeps the typed text, and the version of the unit when the typing began. A refused
 * value stays with the reason; Escape discards it.
 */
function TextControl({
  unit,
  field,
  label,
  changeUnit,
  unsaved,
}: ControlProps & { label: string }) {
  const { name, kind } = field;
  const isReadOnly = useRights() !== 'all';
  const [typed, setTyped] = useState<{ text: string; seen: Unit }>();
  const [message, setMessage] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const unsavedChange = unsaved.find(unit, name);
  const stored = unsavedChange ? unsavedText(unsavedChange, name) : unitText(unit, name);

  useLeaving(() => {
    if (typed === undefined) return;
    const change = { [name]: typed.text };
    unsaved.add({ unit: typed.seen, change, message: message ?? texts.notSavedYet });
  });

  function save(wanted: typeof typed): void {
    if (wanted === undefined) return;
    const change = readChange(wanted.seen, field, wanted.text);
    if (typeof change === 'string') return setMessage(change);
    setMessage(undefined);
    setTyped(undefined);
    if (Object.keys(change).length > 0) changeUnit(wanted.seen, change);
    else drop();
  }

  function drop(): void {
    setTyped(undefined);
    setMessage(undefined);
    if (unsavedChange) unsaved.forget(unit.id, unsavedChange.change);
  }

  const saveAgain = (): void =>
    save(typed ?? (unsavedChange && { text: stored, seen: unsavedChange.unit }));
  const error = message ?? unsavedChange?.message;
  return (
    <div className="field">
      <Field
        ref={input}
        label={label}
        name={name}
        readOnly={isReadOnly}
        inputMode={kind === 'text' ? 'text' : 'decimal'}
        maxLength={1_000}
        error={error}
        value={typed?.text ?? stored}
        onChange={({ target: { value } }) =>
          setTyped({ text: value, seen: typed?.seen ?? unsavedChange?.unit ?? unit })
        }
        onBlur={() => save(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            // The change may open a dialog, and this Enter must not answer it.
            event.preventDefault();
            saveAgain();
          }
          if (event.key !== 'Escape' || (typed === undefined && unsavedChange === undefined))
            return;
          // The first Escape discards the typed text, the next one closes the drawer.
          event.preventDefault();
          event.stopPropagation();
          drop();
        }}
      />
      {error !== undefined && (
        <div>
          <Button
            onClick={() => {
              // The save removes this button.
              input.current?.focus();
              saveAgain();
            }}
          >
            {shared.save}
          </Button>
        </div>
      )}
    </div>
  );
}
