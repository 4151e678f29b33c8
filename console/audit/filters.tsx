import { Button } from '../parts/button/button.tsx';
import { useUsers } from '../parts/domain/names.ts';
import { FilterChoice, listOptions } from '../parts/form/filter-choice.tsx';
import { FindChoice } from '../parts/form/find-choice.tsx';
import { FilterDay } from '../parts/form/filter-day.tsx';
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
      <FilterChoice
        label={texts.type}
        value={filter.type}
        options={[{ id: '', name: texts.typeAny }, ...listOptions(TYPES, texts.types)]}
        onChange={(type) => onChange({ type, field: null })}
      />
      {fields.length > 0 && (
        <FilterChoice
          label={texts.field}
          value={filter.field}
          options={[{ id: '', name: texts.fieldAny }, ...fields]}
          onChange={(field) => onChange({ field })}
        />
      )}
      <FindChoice
        label={texts.who}
        value={filter.actor}
        options={[{ id: '', name: texts.whoAny }, ...users, { id: SYSTEM, name: texts.system }]}
        onChange={(actor) => onChange({ actor })}
      />
      <FilterDay label={texts.after} value={filter.from} onChange={(from) => onChange({ from })} />
      <FilterDay label={texts.before} value={filter.to} onChange={(to) => onChange({ to })} />
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
