import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { findName, fold, useProjects } from '../parts/domain/names.ts';
import { Mark } from '../parts/domain/status.tsx';
import { useUnits } from '../parts/domain/unit-names.ts';
import { useDebounced } from '../parts/form/debounce.ts';
import { FilterDay } from '../parts/form/filter-day.tsx';
import {
  NONE,
  nameNone,
  readDays,
  useOptions,
  writeDays,
  type FilterOption,
} from './filter-values.ts';
import {
  DAY_FILTERS,
  FILTER_NAMES,
  isSet,
  splitValues,
  type ChangeAddress,
  type DayFilter,
  type FilterName,
  type FilterQuery,
  type ListFilter,
} from './query.ts';
import { filterTexts as texts } from './texts.ts';

interface PanelProps {
  filter: FilterQuery;
  change: ChangeAddress;
  timeZone: string;
}

/** The panel of a filter. Without a `name`, it first asks which filter to add. A choice applies at once. */
export default function FilterPanel({ name, ...props }: PanelProps & { name?: FilterName }) {
  const [chosen, setChosen] = useState(name);
  if (chosen === undefined)
    return (
      <ul className="contacts-filter-names">
        {FILTER_NAMES.filter((each) => !isSet(props.filter, each)).map((each) => (
          <li key={each}>
            <Button look="bare" onClick={() => setChosen(each)}>
              {texts.names[each]}
            </Button>
          </li>
        ))}
      </ul>
    );
  return (
    <fieldset className="contacts-filter">
      <legend>{texts.names[chosen]}</legend>
      <FilterEditor {...props} name={chosen} />
    </fieldset>
  );
}

function FilterEditor({ name, ...props }: PanelProps & { name: FilterName }) {
  if (name === 'hasPhone')
    return <OneOf {...props} name={name} options={{ true: texts.yes, false: texts.no }} />;
  if (name === 'archived') {
    const options = { any: texts.archivedToo, true: texts.archivedOnly };
    return <OneOf {...props} name={name} options={options} />;
  }
  if (name in DAY_FILTERS) return <DayRange {...props} name={name as DayFilter} />;
  return name === 'unit' ? (
    <UnitFilter {...props} />
  ) : (
    <ListedFilter {...props} name={name as ListFilter} />
  );
}

const MANY = 12;

function ListedFilter({ name, ...props }: PanelProps & { name: ListFilter }) {
  const options = useOptions(name);
  const [text, setText] = useState('');
  const fitting = options.filter(({ label }) => fold(label).includes(fold(text)));
  return (
    <>
      {options.length > MANY && <FindField name={name} text={text} onText={setText} />}
      <CheckList {...props} name={name} options={fitting.slice(0, 100)} />
    </>
  );
}

/** The filter of units. It searches by name, because an account has thousands of units. */
function UnitFilter(props: PanelProps) {
  const [text, setText] = useState('');
  const q = useDebounced(text.trim());
  const chosen = splitValues(props.filter.unit).filter((id) => id !== NONE);
  const findUnit = useUnits(chosen);
  const projects = useProjects();
  const { data } = useQuery({
    queryKey: ['unit', 'find', q],
    queryFn: async ({ signal }) => {
      const query = { limit: 30, ...(q !== '' && { q }) };
      return (await api.GET('/stock/units', { params: { query }, signal })).data.data;
    },
    placeholderData: (before) => before,
  });
  const found = (data ?? []).filter(({ id }) => !chosen.includes(id));
  const units = [...chosen.flatMap((id) => findUnit(id) ?? []), ...found];
  const options = units.map(({ id, name, projectId }) => ({
    id,
    label: `${findName(projects, projectId, '')}, ${name}`,
  }));
  return (
    <>
      <FindField name="unit" text={text} onText={setText} />
      <CheckList {...props} name="unit" options={options} />
    </>
  );
}

function FindField({
  name,
  text,
  onText,
}: {
  name: ListFilter;
  text: string;
  onText: (text: string) => void;
}) {
  return (
    <input
      type="search"
      className="control"
      autoFocus
      aria-label={texts.find(texts.names[name])}
      placeholder={texts.find(texts.names[name])}
      value={text}
      onChange={(event) => onText(event.target.value)}
    />
  );
}

function CheckList({
  name,
  options,
  filter,
  change,
}: PanelProps & { name: ListFilter; options: readonly FilterOption[] }) {
  const values = splitValues(filter[name]);
  const toggle = (id: string): void => {
    const next = values.includes(id) ? values.filter((each) => each !== id) : [...values, id];
    change({ [name]: next.join() });
  };
  return (
    <div className="contacts-filter-options">
      {[...options, { id: NONE, label: nameNone(name) }].map(({ id, label }) => (
        <label key={id}>
          <input type="checkbox" checked={values.includes(id)} onChange={() => toggle(id)} />
          {name === 'stage' && id !== NONE && <Mark of={id} />}
          {label}
        </label>
      ))}
      {options.length === 0 && <p>{texts.nothing}</p>}
    </div>
  );
}

function OneOf({
  name,
  options,
  filter,
  change,
}: PanelProps & { name: 'hasPhone' | 'archived'; options: Record<string, string> }) {
  return (
    <div className="contacts-filter-options">
      {Object.entries(options).map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={filter[name] === value}
            onChange={() => change({ [name]: value })}
          />
          {label}
        </label>
      ))}
    </div>
  );
}

function DayRange({ name, filter, change, timeZone }: PanelProps & { name: DayFilter }) {
  const days = readDays(filter, name, timeZone);
  const hasEnd = DAY_FILTERS[name][1] !== undefined;
  return (
    <div className="contacts-filter-days">
      <FilterDay
        label={hasEnd ? texts.from : texts.since}
        value={days.from}
        onChange={(from) => change(writeDays({ ...days, from }, name, timeZone))}
      />
      {hasEnd && (
        <FilterDay
          label={texts.to}
          value={days.to}
          onChange={(to) => change(writeDays({ ...days, to }, name, timeZone))}
        />
      )}
    </div>
  );
}
