import { useState } from 'react';

/** Chooses a day of a filter; '' is no day. While a person types 2026, the field has the years 2, 20 and 202: they are no days yet. */
export function FilterDay({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  return (
    <label className="day-filter">
      {label}
      <input
        type="date"
        className="control"
        value={typed ?? value}
        onChange={({ target }) => {
          setTyped(target.value);
          if (!target.value.startsWith('0')) onChange(target.value);
        }}
        onBlur={() => setTyped(undefined)}
      />
    </label>
  );
}
