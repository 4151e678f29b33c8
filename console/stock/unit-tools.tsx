import { useEffect, useRef } from 'react';
import { useAddress } from '../parts/address.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { findName, useProjects } from '../parts/names.ts';
import { Popup } from '../parts/popup.tsx';
import { Icon } from '../parts/icon.tsx';
import { ColumnsButton } from './columns-button.tsx';
import { readFilter, type FilterName } from './filter.ts';
import { texts } from './texts.ts';
import { stockTexts } from './stock-texts.ts';
import { STATUSES, UNIT_TYPES } from './unit-fields.ts';
import { ViewMenu } from './view-menu.tsx';

const SEARCH_AFTER_MS = 200;

/** The search, the filters and the looks of the units. They are in the address. */
export function UnitTools({ projectId }: { projectId?: string }) {
  const { query, change } = useAddress();
  const isLevels = query.get('look') === 'levels';
  return (
    <>
      <Search />
      {projectId === undefined && <ProjectFilter />}
      <ChoiceFilter name="status" any={texts.anyStatus} choices={STATUSES} />
      <ChoiceFilter name="unitType" any={texts.anyType} choices={UNIT_TYPES} />
      <MoreFilters />
      <Clear projectId={projectId} />
      {projectId === undefined && <ViewMenu />}
      {!isLevels && <ColumnsButton isOfProject={projectId !== undefined} />}
      <div className="looks" role="group" aria-label={texts.look}>
        <Button aria-pressed={!isLevels} onClick={() => change({ look: null })}>
          {texts.list}
        </Button>
        <Button aria-pressed={isLevels} onClick={() => change({ look: 'levels' })}>
          {texts.levels}
        </Button>
      </div>
    </>
  );
}

function Search() {
  const { query, change } = useAddress();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const q = query.get('q') ?? '';
  useEffect(() => {
    // Clear filters empties the field, too.
    if (input.current !== null && document.activeElement !== input.current) input.current.value = q;
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      ref={input}
      type="search"
      className="control"
      aria-label={texts.search}
      placeholder={texts.search}
      defaultValue={q}
      onChange={({ target: { value } }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => change({ q: value }, { replace: true }), SEARCH_AFTER_MS);
      }}
    />
  );
}

function ProjectFilter() {
  const { query, change } = useAddress();
  const projects = useProjects();
  const chosen = query.get('project') ?? '';
  const isOther = chosen !== '' && findName(projects, chosen, '') === '';
  return (
    <select
      className="control"
      aria-label={texts.project}
      value={chosen}
      onChange={({ target }) => change({ project: target.value })}
    >
      <option value="">{texts.allProjects}</option>
      {isOther && <option value={chosen}>{texts.project}</option>}
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Any of several values, as check boxes in a panel. */
function ChoiceFilter({
  name,
  any,
  choices,
}: {
  name: 'status' | 'unitType';
  any: string;
  choices: readonly string[];
}) {
  const { query, change } = useAddress();
  const chosen = (query.get(name) ?? '').split(',').filter((each) => each !== '');
  const label = stockTexts.fields[name] ?? name;
  function toggle(choice: string): void {
    const next = choices.filter((each) => chosen.includes(each) !== (each === choice));
    change({ [name]: next.join(',') }, { replace: true });
  }
  return (
    <Popup
      className="button button-plain"
      title={label}
      button={
        <>
          {chosen.length === 0 ? any : chosen.join(', ')}
          <Icon name="down" />
        </>
      }
    >
      {() => (
        <fieldset className="choices">
          <legend className="hidden-text">{label}</legend>
          {choices.map((choice) => (
            <label key={choice} className="choice">
              <input
                type="checkbox"
                checked={chosen.includes(choice)}
                onChange={() => toggle(choice)}
              />
              {choice}
            </label>
          ))}
        </fieldset>
      )}
    </Popup>
  );
}

const MORE: readonly FilterName[] = ['bedrooms', 'level', 'priceMin', 'priceMax'];

function MoreFilters() {
  const { query, change } = useAddress();
  const count = MORE.filter((name) => query.has(name)).length;
  return (
    <Popup
      className="button button-plain"
      title={texts.filters}
      button={count === 0 ? texts.filters : `${texts.filters} (${count})`}
    >
      {(close) => (
        <form
          className="more-filters"
          onSubmit={(event) => {
            event.preventDefault();
            const values = new FormData(event.currentTarget);
            const read = (name: FilterName): string => {
              const value = values.get(name);
              return typeof value === 'string' ? value.trim() : '';
            };
            change(Object.fromEntries(MORE.map((name) => [name, read(name)])));
            close();
          }}
        >
          <Field
            label={texts.bedrooms}
            name="bedrooms"
            hint={texts.bedroomsHint}
            pattern="[0-9., ]*"
            defaultValue={query.get('bedrooms') ?? ''}
          />
          <Field
            label={texts.level}
            name="level"
            hint={texts.levelHint}
            defaultValue={query.get('level') ?? ''}
          />
          <Field
            label={texts.priceFrom}
            name="priceMin"
            type="number"
            min="0"
            step="any"
            defaultValue={query.get('priceMin') ?? ''}
          />
          <Field
            label={texts.priceTo}
            name="priceMax"
            type="number"
            min="0"
            step="any"
            defaultValue={query.get('priceMax') ?? ''}
          />
          <Button type="submit" look="filled">
            {texts.show}
          </Button>
        </form>
      )}
    </Popup>
  );
}

function Clear({ projectId }: { projectId: string | undefined }) {
  const { query, change } = useAddress();
  const names = Object.keys(readFilter(query)).filter(
    (name) => name !== 'project' || projectId === undefined,
  );
  if (names.length === 0) return null;
  return (
    <Button
      look="bare"
      onClick={() => change(Object.fromEntries(names.map((name) => [name, null])))}
    >
      {texts.clear}
    </Button>
  );
}
