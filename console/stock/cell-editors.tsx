import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Unit } from '../api.ts';
import { keepRowInView } from '../parts/keyboard/keep-focus.ts';
import { readChange } from './read-change.ts';
import { StatusOptions } from './status-options.tsx';
import { stockTexts } from './stock-texts.ts';
import { UNIT_TYPES, unitText, type UnitField } from './unit-fields.ts';
import { texts } from './texts.ts';
import type { UnitChange } from './unit-data.ts';
import { unsavedText, useLeaving, type UnsavedChanges } from './use-unsaved-changes.ts';
import type { Rights } from './use-rights.ts';

interface EditorProps {
  unit: Unit;
  field: UnitField;
  close: (move?: 'down') => void;
  onChange: (unit: Unit, change: UnitChange) => void;
  unsaved: UnsavedChanges;
}

/** The editor of a cell. */
export default function CellEditor({ rights, ...editor }: EditorProps & { rights: Rights }) {
  if (editor.field.kind === 'status')
    return (
      <ChoiceEditor {...editor}>
        <StatusOptions canSell={rights === 'all'} />
      </ChoiceEditor>
    );
  if (editor.field.kind === 'type')
    return (
      <ChoiceEditor {...editor}>
        <option value="">{stockTexts.emptyValue}</option>
        {UNIT_TYPES.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </ChoiceEditor>
    );
  return <TextEditor {...editor} />;
}

/**
 * The editor of a text, a number or a price in a cell. Enter saves and moves down, Tab and a click elsewhere save, Escape cancels.
 * A value that is not saved is shown again, with the reason.
 */
function TextEditor({ unit, field, close, onChange, unsaved }: EditorProps) {
  const [unsavedChange] = useState(unsaved.find(unit, field.name));
  // Keep the version that the person saw when they typed, whatever events arrive.
  const [seen] = useState(unsavedChange?.unit ?? unit);
  const [message, setMessage] = useState(unsavedChange?.message ?? '');
  const input = useRef<HTMLInputElement>(null);
  const messageId = useId();
  const isDone = useRef(false);
  const typed = useRef<string>(undefined);
  // The message stands below the list, where it covers no cell.
  const list = document.querySelector('.units');
  useEffect(() => input.current?.select(), []);
  useLeaving(() => {
    const change = { [field.name]: typed.current };
    const text = message || texts.notSavedYet;
    if (!isDone.current && typed.current !== undefined)
      unsaved.add({ unit: seen, change, message: text });
  });

  function save(move?: 'down'): void {
    if (isDone.current) return;
    const text = input.current?.value ?? '';
    // When the person leaves the refused value unchanged, keep it for later.
    if (unsavedChange && move === undefined && text === unsavedText(unsavedChange, field.name))
      return close();
    const change = readChange(seen, field, text);
    if (typeof change === 'string') return setMessage(change);
    isDone.current = true;
    close(move);
    if (Object.keys(change).length > 0) onChange(seen, change);
    else leave();
  }

  function leave(): void {
    isDone.current = true;
    if (unsavedChange) unsaved.forget(unit.id, unsavedChange.change);
  }

  return (
    <>
      <input
        ref={input}
        className="cell-editor"
        aria-label={stockTexts.fields[field.name] ?? field.name}
        aria-invalid={message !== ''}
        aria-describedby={message === '' ? undefined : messageId}
        inputMode={field.kind === 'text' ? 'text' : 'decimal'}
        defaultValue={
          unsavedChange ? unsavedText(unsavedChange, field.name) : unitText(seen, field.name)
        }
        onChange={({ target }) => {
          typed.current = target.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            save('down');
          } else if (event.key === 'Escape') leave();
        }}
        onBlur={() => save()}
      />
      {message !== '' &&
        list !== null &&
        createPortal(
          <p className="list-news units-message" id={messageId} role="alert" ref={keepRowInView}>
            {message}
          </p>,
          list,
        )}
    </>
  );
}

/** The editor of one of a few values in a cell. It opens its list by itself. */
function ChoiceEditor({
  unit,
  field: { name },
  close,
  onChange,
  children,
}: EditorProps & { children: ReactNode }) {
  const [seen] = useState(unit);
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    select.current?.focus();
    try {
      select.current?.showPicker();
    } catch {
      // The browser opens the list only after a user action.
    }
  }, []);
  return (
    <select
      ref={select}
      className="cell-editor"
      aria-label={stockTexts.fields[name] ?? name}
      defaultValue={unitText(seen, name)}
      onChange={({ target }) => {
        close();
        const value = target.value === '' ? null : target.value;
        if (value !== (seen[name] ?? null)) onChange(seen, { [name]: value });
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        close('down');
      }}
      onBlur={() => close()}
    >
      {children}
    </select>
  );
}
