import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Project, type Unit } from '../api.ts';
import { useDebounced } from '../parts/debounce.ts';
import { useProjects } from '../parts/names.ts';
import { Picker, type PickerOption } from '../parts/picker.tsx';
import { UnitStatus } from '../parts/status.tsx';
import { showPrice } from './price.ts';
import { texts } from './texts.ts';

export interface LinkTarget {
  projectId: string;
  unitId: string | null;
}

interface LinkPickerProps {
  /** The projects that the contact is linked to. They and their units come first. */
  ownProjects: readonly string[];
  onChoose: (target: LinkTarget) => void;
  onClose: () => void;
}

/** Finds projects and units by their names and lots. */
export function LinkPicker({ ownProjects, onChoose, onClose }: LinkPickerProps) {
  const [text, setText] = useState('');
  const q = useDebounced(text.trim());
  const projects = useProjects().filter(({ publication }) => publication !== 'archived');
  const words = q === '' ? [] : q.toLowerCase().split(/\s+/);
  const named = projects.filter((project) => words.some((word) => hasWord(project, word)));
  const rest = words.filter((word) => !named.some((project) => hasWord(project, word))).join(' ');
  const units = useQuery({
    queryKey: ['unit', 'linkable', rest, named.map(({ id }) => id).join(), ownProjects.join()],
    queryFn: () => readRankedUnits(rest, { named, own: ownProjects }),
    placeholderData: (before) => before,
  });

  const isOwn = ({ id }: Project): boolean => ownProjects.includes(id);
  const shownProjects = rest === '' ? (words.length === 0 ? projects : named) : [];
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const options: PickerOption[] = [
    ...shownProjects
      .toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
      .map(({ id, name }) => ({ id, label: name, detail: texts.projectOnly })),
    ...(units.data ?? []).map((unit) => ({
      id: unit.id,
      label: `${nameLot(unit)} · ${names.get(unit.projectId) ?? ''}`,
      detail: <UnitState unit={unit} />,
    })),
  ];
  return (
    <Picker
      label={texts.findLink}
      text={text}
      onText={setText}
      options={options}
      isLoading={units.isFetching || q !== text.trim()}
      empty={texts.noLinkFound}
      onClose={onClose}
      onChoose={(id) => {
        const unit = units.data?.find((each) => each.id === id);
        onChoose(
          unit === undefined
            ? { projectId: id, unitId: null }
            : { projectId: unit.projectId, unitId: unit.id },
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

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const hasWord = ({ name }: { name?: string | undefined }, word: string): boolean =>
  fold(name ?? '')
    .split(/\s+/)
    .some((each) => each.startsWith(fold(word)));

/** Names a unit with its lot, which the person may have searched for. Most names of units contain it. */
function nameLot({ name = '', lotNumber }: Unit): string {
  if (lotNumber == null || name.includes(String(lotNumber))) return name;
  return `${name}, ${typeof lotNumber === 'number' ? texts.lot(lotNumber) : lotNumber}`;
}

const SHOWN_MAX_COUNT = 20;
/** How many units are read where the page itself filters or ranks them. */
const READ_MAX_COUNT = 500;
/** The statuses of units to link: for sale, sold, settled. Withdrawn units are not for sale. */
const RANKS = [
  ['Available', 'On Hold', 'Reserved', 'Coming Soon'],
  ['Under Contract', 'Unconditional'],
  ['Settled'],
];

interface ProjectScope {
  /** The projects that the words of the search name; all projects when they name none. */
  named: readonly Project[];
  own: readonly string[];
}

/**
 * Finds units by the words of the search: first those of the contact's own projects, then all others; in each, units for sale
 * before sold ones. The service does not rank units, so each rank is a request of its own.
 */
async function readRankedUnits(q: string, { named, own }: ProjectScope): Promise<Unit[]> {
  const places = named.map(({ id }) => id);
  const ownPlaces = places.length === 0 ? own : own.filter((id) => places.includes(id));
  const groups = await Promise.all([
    ownPlaces.length === 0
      ? []
      : readUnits(q, { projects: ownPlaces, statuses: RANKS.flat(), limit: READ_MAX_COUNT }),
    ...RANKS.map((statuses) =>
      readUnits(q, { projects: places, statuses, limit: SHOWN_MAX_COUNT }),
    ),
  ]);
  const [ownUnits, ...others] = groups;
  const ranked = [...ownUnits.toSorted((a, b) => rankOf(a) - rankOf(b)), ...others.flat()];
  const units = new Map(ranked.map((unit) => [unit.id, unit]));
  return [...units.values()].slice(0, SHOWN_MAX_COUNT);
}

const rankOf = ({ status }: Unit): number =>
  RANKS.findIndex((statuses) => statuses.includes(status ?? ''));

interface UnitSearch {
  projects: readonly string[];
  statuses: readonly string[];
  limit: number;
}

async function readUnits(q: string, { projects, statuses, limit }: UnitSearch): Promise<Unit[]> {
  // The service's search needs two characters. So the page looks for a lot such as "7" itself.
  const isShort = q.length === 1;
  const query = {
    limit: isShort ? READ_MAX_COUNT : limit,
    status: statuses.join(),
    ...(q.length > 1 && { q }),
    ...(projects.length > 0 && { project: projects.join() }),
  };
  const { data } = (await api.GET('/stock/units', { params: { query } })).data;
  if (!isShort) return data;
  return data.filter((unit) => hasWord(unit, q) || String(unit.lotNumber ?? '').startsWith(q));
}
