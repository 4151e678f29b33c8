/** A value that a filter can have, and its text. A row of a list of projects or people is one, too. */
export interface Option<Value extends string = string> {
  id: Value;
  name?: string;
}

/** Chooses one of a few values of a filter. */
export function FilterChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
  className = 'control',
}: {
  label: string;
  /** The address may have another value than the options: its option is the label. */
  value: string;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
  /** In place of `control`. */
  className?: string;
}) {
  return (
    <select
      className={className}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value as Value)}
    >
      {options.every(({ id }) => id !== value) && <option value={value}>{label}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Lists values as options, with these texts. */
export const listOptions = <Value extends string>(
  values: readonly Value[],
  names: Readonly<Record<Value, string>>,
): Option<Value>[] => values.map((id) => ({ id, name: names[id] }));
