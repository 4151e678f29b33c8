import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Unit } from '../api.ts';
import { fold, useProjects } from '../parts/domain/names.ts';
import { UnitStatus } from '../parts/domain/status.tsx';
import { useDebounced } from '../parts/form/debounce.ts';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { Picker, type PickerOption } from '../parts/form/picker.tsx';
import { showPrice } from './price.ts';
import { texts } from './texts.ts';

export interface LinkTarget {
  projectId: string;
  unitId: string | null;
}

interface LinkPickerProps {
  /** The projects that the contact is linked to. They and their units come first. */
  ownProjects: readonly string[];
  /** Called with a unit, or with a project alone. */
  onChoose: (target: LinkTarget, unit?: Unit) => void;
  onClose?: () => void;
  /** Whether the person must choose a unit. */
  isUnitOnly?: boolean;
}

/** Finds projects and units by their names and lots. */
export function LinkPicker({
  ownProjects,
  onChoose,
  onClose,
  isUnitOnly = false,
}: LinkPickerProps) {
  const [text, setText] = useState('');
  const q = useDebounced(text.trim());
  const projects = useProjects().filter(({ publication }) => publication !== 'archived');
  const words = listWords(q).filter((word) => word !== LOT);
  // A number may be a lot, also when the name of a project has it.
  const named = projects.filter(({ name }) =>
    words.some((word) => !isNumber(word) && hasWord(name, word)),
  );
  const others = words.filter((word) => !named.some(({ name }) => hasWord(name, word)));
  const rest = (others.length > 0 ? others : words.filter(isNumber)).join(' ');
  const search = { q: rest, named: named.map(({ id }) => id), own: ownProjects };
  const found = useQuery({
    queryKey: ['unit', 'linkable', search],
    queryFn: ({ signal }) => findUnits(search, signal),
    placeholderData: (before) => before,
  });

  const isOwn = (projectId: string): boolean => ownProjects.includes(projectId);
  const names = new Map(projects.map(({ id, name = '' }) => [id, name]));
  const units = (found.data ?? [])
    .filter(({ projectId }) => names.has(projectId))
    .map((unit) => ({
      unit,
      rank: (hasLot(unit, rest) ? 0 : 20) + (isOwn(unit.projectId) ? 0 : 10) + rankStatus(unit),
    }))
    .toSorted((a, b) => a.rank - b.rank || NATURAL.compare(a.unit.name ?? '', b.unit.name ?? ''))
    .slice(0, SHOWN_MAX_COUNT)
    .map(({ unit }) => unit);
  const options: PickerOption[] = [
    ...projects
      .filter(({ name }) => !isUnitOnly && words.every((word) => hasWord(name, word)))
      .toSorted((a, b) => Number(isOwn(b.id)) - Number(isOwn(a.id)))
      .map(({ id, name }) => ({ id, label: name, detail: texts.projectOnly })),
    ...units.map((unit) => ({
      id: unit.id,
      label: `${nameUnit(unit)} · ${names.get(unit.projectId)}`,
      detail: <UnitState unit={unit} />,
    })),
  ];
  return (
    <Picker
      label={texts.findLink}
      text={text}
      onText={setText}
      options={options}
      isLoading={found.isFetching || q !== text.trim()}
      empty={found.error === null ? texts.noLinkFound : describeProblem(found.error)}
      onClose={onClose}
      onChoose={(id) => {
        const unit = units.find((each) => each.id === id);
        onChoose(
          unit === undefined
            ? { projectId: id, unitId: null }
            : { projectId: unit.projectId, unitId: unit.id },
          unit,
        );
      }}
    />
  );
}

function UnitState({ unit }: { unit: Unit }) {
  return (
    <>
      {unit.status !== undefined && <UnitStatus status={unit.status} />}
      {showPrice(unit)}
    </>
  );
}

/** The word before the number of a lot. The lot itself may be stored with it or without. */
const LOT = 'lot';
const NATURAL = new Intl.Collator('en', { numeric: true });

const listWords = (text: string): string[] =>
  fold(text)
    .split(/[\s,]+/)
    .filter((word) => word !== '');

const hasWord = (name: string | undefined, word: string): boolean =>
  listWords(name ?? '').some((each) => each.startsWith(word));

const isNumber = (word: string): boolean => /^\d/.test(word);

/** Returns whether the lot of a unit is exactly this one. */
const hasLot = ({ lotNumber }: Unit, lot: string): boolean =>
  lotNumber != null && withoutLot(String(lotNumber)) === withoutLot(lot);

const withoutLot = (text: string): string =>
  listWords(text)
    .filter((word) => word !== LOT)
    .join(' ');

/** Names a unit with its lot, unless the name has it: "Lot 10" or "Townhouse, Lot 10", and "Apartment 101, Lot 10". */
function nameUnit({ name = '', lotNumber }: Unit): string {
  if (lotNumber == null) return name;
  const lot = isNumber(String(lotNumber)) ? texts.lot(lotNumber) : String(lotNumber);
  const isNamed =
    ` ${listWords(name).join(' ')} `.includes(` ${listWords(lot).join(' ')} `) ||
    name === String(lotNumber);
  return isNamed ? name : `${name}, ${lot}`;
}

const SHOWN_MAX_COUNT = 20;
/** The most units that the service returns at once. */
const READ_MAX_COUNT = 500;
/** The most projects that the service filters by. */
const PROJECTS_MAX_COUNT = 100;
const FOR_SALE = ['Available', 'On Hold', 'Reserved', 'Coming Soon'];
/** The statuses of units to link: for sale, sold, settled. Withdrawn units are not for sale. */
const RANKS = [FOR_SALE, ['Under Contract', 'Unconditional'], ['Settled']];

const rankStatus = ({ status }: Unit): number =>
  RANKS.findIndex((statuses) => statuses.includes(status ?? ''));

interface UnitSearch {
  q: string;
  /** The projects that the words of the search name; all projects when they name none. */
  named: readonly string[];
  own: readonly string[];
}

/**
 * Finds units by a search. When more match than the service returns at once, it asks for those that come first: the lot itself, the
 * units of the contact's own projects, and those for sale.
 */
async function findUnits({ q, named, own }: UnitSearch, signal: AbortSignal): Promise<Unit[]> {
  const read = async (filter: { lotNumber?: string; project?: string; status?: string }) => {
    const query = {
      status: RANKS.flat().join(),
      ...(q !== '' && { q }),
      ...(named.length > 0 && { project: named.slice(0, PROJECTS_MAX_COUNT).join() }),
      ...filter,
      sort: 'name' as const,
      limit: READ_MAX_COUNT,
    };
    return (await api.GET('/stock/units', { params: { query }, signal })).data;
  };
  const first = await read({});
  if (!first.pagination.hasNextPage) return first.data;
  const ownPlaces = named.length === 0 ? own : own.filter((id) => named.includes(id));
  const pages = await Promise.all([
    ...(q === '' ? [] : [read({ lotNumber: `${q},${LOT} ${q}` })]),
    ...(ownPlaces.length === 0 ? [] : [read({ project: ownPlaces.join() })]),
    read({ status: FOR_SALE.join() }),
  ]);
  const units = [first, ...pages].flatMap(({ data }) => data);
  return [...new Map(units.map((unit) => [unit.id, unit])).values()];
}
