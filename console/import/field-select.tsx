import type { Field } from './plan.ts';
import { fieldGroups, texts } from './texts.ts';

/** The choice of the field that a column becomes, or of leaving the column out. */
export function FieldSelect({
  label,
  field,
  onChange,
}: {
  label: string;
  field: Field | null;
  onChange: (field: Field | null) => void;
}) {
  return (
    <select
      className="control"
      aria-label={label}
      value={field ?? ''}
      onChange={(event) =>
        onChange(event.target.value === '' ? null : (event.target.value as Field))
      }
    >
      <option value="">{texts.columns.leaveOut}</option>
      {Object.entries(fieldGroups).map(([group, fields]) => (
        <optgroup key={group} label={group}>
          {Object.entries(fields).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
