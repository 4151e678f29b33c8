import { useId, type KeyboardEvent, type Ref } from 'react';
import { WRITTEN_TYPES, type ActivityDraft, type WrittenType } from './activity-draft.ts';
import { texts } from './texts.ts';

interface FieldProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  /** Why the service refused the value; empty when it did not. */
  fault?: string;
}

/** The kind of the activity, as a row of radio buttons. */
export function TypeField({ value, onChange, onKeyDown }: FieldProps<WrittenType>) {
  const name = useId();
  return (
    <fieldset className="activity-types">
      <legend className="hidden-text">{texts.kind}</legend>
      {WRITTEN_TYPES.map((type) => (
        <label key={type} className="activity-type">
          <input
            type="radio"
            name={name}
            className="hidden-text"
            checked={type === value}
            onKeyDown={onKeyDown}
            onChange={() => onChange(type)}
          />
          {texts.activityNames[type]}
        </label>
      ))}
    </fieldset>
  );
}

interface BodyFieldProps extends FieldProps<string> {
  type: ActivityDraft['type'];
  ref: Ref<HTMLTextAreaElement> | undefined;
}

export function BodyField({ type, value, onChange, onKeyDown, fault = '', ref }: BodyFieldProps) {
  const id = useId();
  return (
    <>
      <label className="activity-label" htmlFor={id}>
        {texts.writeLabels[type]}
      </label>
      <textarea
        ref={ref}
        id={id}
        className="control control-area"
        rows={3}
        required={type === 'note'}
        aria-invalid={fault !== ''}
        aria-describedby={fault === '' ? undefined : `${id}-fault`}
        value={value}
        onKeyDown={onKeyDown}
        onChange={({ target }) => onChange(target.value)}
      />
      <Fault id={`${id}-fault`}>{fault}</Fault>
    </>
  );
}

interface TimeFieldProps extends FieldProps<string> {
  ref: Ref<HTMLInputElement>;
}

export function TimeField({ value, onChange, onKeyDown, fault = '', ref }: TimeFieldProps) {
  const id = useId();
  return (
    <div>
      <label className="activity-label" htmlFor={id}>
        {texts.when}
      </label>
      <input
        ref={ref}
        id={id}
        type="datetime-local"
        // A year that is typed with two digits is one of the first century.
        min="1900-01-01T00:00"
        className="control"
        aria-invalid={fault !== ''}
        aria-describedby={fault === '' ? `${id}-hint` : `${id}-hint ${id}-fault`}
        value={value}
        onKeyDown={onKeyDown}
        onChange={({ target }) => onChange(target.value)}
      />
      <p className="field-hint" id={`${id}-hint`}>
        {texts.whenHint}
      </p>
      <Fault id={`${id}-fault`}>{fault}</Fault>
    </div>
  );
}

export function OutcomeField({ value, onChange, onKeyDown }: FieldProps<string>) {
  const id = useId();
  return (
    <div>
      <label className="activity-label" htmlFor={id}>
        {texts.outcome}
      </label>
      <input
        id={id}
        className="control"
        list={`${id}-outcomes`}
        maxLength={1000}
        autoComplete="off"
        value={value}
        onKeyDown={onKeyDown}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={`${id}-outcomes`}>
        {texts.outcomes.map((outcome) => (
          <option key={outcome} value={outcome} />
        ))}
      </datalist>
    </div>
  );
}

/** The reason why a field is refused; nothing when it is not. */
const Fault = ({ id, children }: { id: string; children: string }) =>
  children !== '' && (
    <p className="field-error" id={id} role="alert">
      {children}
    </p>
  );
