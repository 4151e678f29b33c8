/** Chooses a day of a filter; '' is no day. */
export function FilterDay({
  label,
  value,
  onChange,
  className,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  className: string;
}) {
  return (
    <label className={`day-filter ${className}`}>
      {label}
      <input
        type="date"
        className="control"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
