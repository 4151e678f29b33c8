import { useEffect, useId, useRef } from 'react';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { useIsPhone } from '../parts/grid/index.ts';
import { keepFocus } from '../parts/keyboard/keep-focus.ts';
import { lazyPart, PartError } from '../parts/page/lazy-part.tsx';
import { Popup } from '../parts/popup/popup.tsx';
import { Icon } from '../parts/button/icon.tsx';
import type { Choices } from './choice-list.tsx';
import { ColumnsButton } from './columns-button.tsx';
import { readChosen, readFilter, TYPED_FILTERS } from './filter.ts';
import { texts as shared } from '../parts/text/texts.ts';
import { texts } from './texts.ts';
import { stockTexts } from './stock-texts.ts';
import { STATUSES, UNIT_TYPES } from './unit-fields.ts';
import { UnitViews } from './unit-views.tsx';

const ChoiceList = lazyPart(() => import('./choice-list.tsx'));
/** The empty place of the filter keeps the others where they are. */
const ProjectFilter = lazyPart(
  () => import('./project-filter.tsx'),
  PartError,
  <span className="unit-tool" />,
);
const SortSelect = lazyPart(() => import('./sort-select.tsx'));
const TypedFilters = lazyPart(() => import('./typed-filters.tsx'));

const SEARCH_AFTER_MS = 200;

/** The search, the filters and the views of the units, which the address holds. On a phone, one button opens all filters. */
export function UnitTools({ projectId }: { projectId?: string }) {
  const { query, change } = useAddress();
  const isPhone = useIsPhone();
  const isLevels = query.get('look') === 'levels';
  return (
    <>
      <Search />
      {isPhone ? (
        <>
          {!isLevels && <SortSelect projectId={projectId} />}
          <AllFilters projectId={projectId} />
        </>
      ) : (
        <>
          {projectId === undefined && <ProjectFilter />}
          <ChoiceFilter {...STATUS} />
          <ChoiceFilter {...UNIT_TYPE} />
          <MoreFilters />
          <Clear projectId={projectId} isIconOnly />
        </>
      )}
      {projectId === undefined && <UnitViews />}
      {!isPhone && !isLevels && <ColumnsButton isOfProject={projectId !== undefined} />}
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

const STATUS: Choices = { name: 'status', any: texts.anyStatus, choices: STATUSES };
const UNIT_TYPE: Choices = { name: 'unitType', any: texts.anyType, choices: UNIT_TYPES };

const nameFilters = (count: number): string =>
  count === 0 ? texts.filters : `${texts.filters} (${count})`;

function AllFilters({ projectId }: { projectId: string | undefined }) {
  const { query } = useAddress();
  const names = listFilters(query, projectId).filter((name) => name !== 'q');
  const formId = useId();
  return (
    <Popup className="button button-plain" title={texts.filters} button={nameFilters(names.length)}>
      {(close) => (
        <div className="all-filters">
          {projectId === undefined && <ProjectFilter />}
          <ChoiceList {...STATUS} isNamed />
          <ChoiceList {...UNIT_TYPE} isNamed />
          <TypedFilters id={formId} close={close} />
          <div className="all-filters-end">
            <Clear projectId={projectId} onClear={close} />
            <Button type="submit" form={formId} look="filled">
              {shared.show}
            </Button>
          </div>
        </div>
      )}
    </Popup>
  );
}

function Search() {
  const { query, change } = useAddress();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const q = query.get('q') ?? '';
  useEffect(() => {
    // When the address changes, for example by "Clear filters", update the field.
    if (input.current !== null && document.activeElement !== input.current) input.current.value = q;
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      ref={input}
      type="search"
      className="control unit-tool"
      aria-label={texts.search}
      placeholder={texts.searchHint}
      defaultValue={q}
      onChange={({ target: { value } }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => change({ q: value }, { replace: true }), SEARCH_AFTER_MS);
      }}
    />
  );
}

/** A filter by any of several values, as check boxes in a panel. */
function ChoiceFilter(props: Choices) {
  const { query } = useAddress();
  const chosen = readChosen(query, props.name).join(', ');
  return (
    <Popup
      className="button button-plain unit-tool"
      title={stockTexts.fields[props.name] ?? props.name}
      button={
        <>
          <span className="control-text" title={chosen}>
            {chosen || props.any}
          </span>
          <Icon name="down" />
        </>
      }
    >
      {() => <ChoiceList {...props} />}
    </Popup>
  );
}

function MoreFilters() {
  const { query } = useAddress();
  const count = TYPED_FILTERS.filter((name) => query.has(name)).length;
  return (
    <Popup
      className="button button-plain unit-more"
      title={texts.filters}
      button={nameFilters(count)}
    >
      {(close) => <TypedFilters close={close} />}
    </Popup>
  );
}

const listFilters = (query: URLSearchParams, projectId: string | undefined): string[] =>
  Object.keys(readFilter(query)).filter((name) => name !== 'project' || projectId === undefined);

interface ClearProps {
  projectId: string | undefined;
  /** Whether the button is an icon. While no filter is set, its place then stays empty. */
  isIconOnly?: boolean;
  onClear?: () => void;
}

function Clear({ projectId, isIconOnly = false, onClear }: ClearProps) {
  const { query, change } = useAddress();
  const names = listFilters(query, projectId);
  if (names.length === 0) return isIconOnly && <span className="unit-clear" />;
  return (
    <Button
      look="bare"
      ref={keepFocus}
      {...(isIconOnly && {
        icon: 'close',
        isIconOnly,
        className: 'unit-clear',
        title: texts.clear,
      })}
      onClick={() => {
        change(Object.fromEntries(names.map((name) => [name, null])));
        onClear?.();
      }}
    >
      {texts.clear}
    </Button>
  );
}
