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
  onChoose: (target: LinkTarget) => void;
  onClose: () => void;
}

/** Finds projects and units by their names and lots. */
export function LinkPicker({ onChoose, onClose }: LinkPickerProps) {
  const [text, setText] = useState('');
  const q = useDebounced(text.trim());
  const projects = useProjects().filter(({ publication }) => publication !== 'archived');
  const words = q === '' ? [] : q.toLowerCase().split(/\s+/);
  const named = projects.filter((project) => words.some((word) => hasWord(project, word)));
  const rest = words.filter((word) => !named.some((project) => hasWord(project, word))).join(' ');
  const units = useQuery({
    queryKey: ['unit', 'linkable', rest, named.map(({ id }) => id).join()],
    queryFn: () => readUnits(rest, named),
    placeholderData: (before) => before,
  });

  const shownProjects = rest === '' ? (words.length === 0 ? projects : named) : [];
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const options: PickerOption[] = [
    ...shownProjects.map(({ id, name }) => ({ id, label: name, detail: texts.projectOnly })),
    ...(units.data ?? []).map((unit) => ({
      id: unit.id,
      label: `${unit.name ?? ''} · ${names.get(unit.projectId) ?? ''}`,
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

const SHOWN_MAX_COUNT = 20;
/** How many units are read to look for a lot of one character, such as "7": the service's search needs two characters. */
const READ_MAX_COUNT = 500;

/** Finds units by the words of the search. Words that name projects limit the units to those projects. */
async function readUnits(q: string, projects: readonly Project[]): Promise<Unit[]> {
  const isShort = q.length === 1;
  const query = {
    limit: isShort ? READ_MAX_COUNT : SHOWN_MAX_COUNT,
    status: LINKABLE_STATUSES,
    ...(q.length > 1 && { q }),
    ...(projects.length > 0 && { project: projects.map(({ id }) => id).join() }),
  };
  const { data } = (await api.GET('/stock/units', { params: { query } })).data;
  if (!isShort) return data;
  return data
    .filter((unit) => hasWord(unit, q) || String(unit.lotNumber ?? '').startsWith(q))
    .slice(0, SHOWN_MAX_COUNT);
}

/** All statuses but Withdrawn: withdrawn units are not for sale. */
const LINKABLE_STATUSES =
  'Coming Soon,Available,On Hold,Reserved,Under Contract,Unconditional,Settled';
