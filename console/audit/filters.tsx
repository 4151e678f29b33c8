import { Button } from '../parts/button.tsx';
import { useUsers } from '../parts/names.ts';
import { FILTER_NAMES, listFields, type AuditFilter } from './query.ts';
import { texts } from './texts.ts';

const TYPES = ['contact', 'unit', 'project', 'user', 'key', 'organization', 'webhook'] as const;
const SYSTEM = 'system';

/** The filters of the audit. */
export function Filters({
  filter,
  onChange,
}: {
  filter: AuditFilter;
  onChange: (changes: Record<string, string | null>) => void;
}) {
  const users = useUsers();
  const fields = listFields(filter.type);
  const isFiltered = FILTER_NAMES.some((name) => filter[name] !== '');
  return (
    <>
      <Choice
        label={texts.type}
        value={filter.type}
        all={texts.typeAny}
        options={TYPES.map((type) => [type, texts.types[type]])}
        onChange={(type) => onChange({ type, field: null })}
      />
      {fields.length > 0 && (
        <Choice
          label={texts.field}
          value={filter.field}
          all={texts.fieldAny}
          options={fields}
          onChange={(field) => onChange({ field })}
        />
      )}
      <Choice
        label={texts.who}
        value={filter.actor}
        all={texts.whoAny}
        options={[
          ...users.map(({ id, name }): [string, string] => [id, name]),
          [SYSTEM, texts.system],
        ]}
        onChange={(actor) => onChange({ actor })}
      />
      <Day label={texts.after} value={filter.from} onChange={(from) => onChange({ from })} />
      <Day label={texts.before} value={filter.to} onChange={(to) => onChange({ to })} />
      {filter.subject !== '' && (
        <Button onClick={() => onChange({ subject: null })}>{texts.oneClear}</Button>
      )}
      {isFiltered && (
        <Button
          look="bare"
          onClick={() => onChange(Object.fromEntries(FILTER_NAMES.map((name) => [name, null])))}
        >
          {texts.clear}
        </Button>
      )}
    </>
  );
}

function Choice({
  label,
  value,
  all,
  options,
  onChange,
}: {
  label: string;
  value: string;
  all: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}) {
  return (
    <select
      className="control"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{all}</option>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  );
}

function Day({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label className="day-filter audit-day">
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
