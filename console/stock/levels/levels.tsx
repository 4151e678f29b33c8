import { useQuery } from '@tanstack/react-query';
import { useRef, type KeyboardEvent } from 'react';
import type { Unit } from '../../api.ts';
import { useAddress } from '../../parts/browser/address.ts';
import { findName, PROJECTS } from '../../parts/domain/names.ts';
import { Mark, UnitStatus } from '../../parts/domain/status.tsx';
import { Empty, LoadError, Skeleton } from '../../parts/page/states.tsx';
import type { UnitQuery } from '../filter.ts';
import NoUnits from '../no-units.tsx';
import { formatPrice } from '../price.ts';
import { useProjectUnits } from '../project-units.ts';
import { STATUSES } from '../unit-fields.ts';
import { useRights } from '../use-rights.ts';
import { fitsFilter, groupByLevel } from './levels-plan.ts';
import { texts } from './levels-texts.ts';
import './levels.css';

/** The letter of each status, which stands beside its mark. */
const LETTERS: Record<string, string> = {
  Available: 'A',
  'Coming Soon': 'C',
  'On Hold': 'H',
  Reserved: 'R',
  'Under Contract': 'K',
  Unconditional: 'U',
  Settled: 'S',
  Withdrawn: 'W',
};

/** The plan of a building: the units of a project by level and position. */
export default function Levels({
  filter,
  onOpen,
}: {
  filter: UnitQuery;
  onOpen: (id: string) => void;
}) {
  const { change } = useAddress();
  const { data: projects = [], isSuccess } = useQuery(PROJECTS);
  const rights = useRights();
  const projectId = filter.project?.includes(',') ? null : (filter.project ?? null);
  const { data: units, error, refetch } = useProjectUnits(projectId);
  if (isSuccess && projects.length === 0) return <NoUnits filter={{}} rights={rights} />;
  if (projectId === null)
    return (
      <Empty>
        {texts.choose}
        <span className="levels-projects">
          {projects.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              className="button button-plain"
              onClick={() => change({ project: id })}
            >
              {name}
            </button>
          ))}
        </span>
      </Empty>
    );
  if (error !== null && units === undefined)
    return <LoadError error={error} onRetry={() => void refetch()} />;
  if (units === undefined) return <Skeleton lines={8} />;
  return (
    <Plan name={findName(projects, projectId, '')} units={units} filter={filter} onOpen={onOpen} />
  );
}

interface PlanProps {
  name: string;
  units: readonly Unit[];
  filter: UnitQuery;
  onOpen: (id: string) => void;
}

function Plan({ name, units, filter, onOpen }: PlanProps) {
  const plan = useRef<HTMLDivElement>(null);
  const shown = units.filter((unit) => fitsFilter(unit, filter));
  const levels = groupByLevel(units);
  const fits = new Set(shown.map(({ id }) => id));

  /** Moves the focus by the arrow keys, along a level and between levels. */
  function onKeyDown(event: KeyboardEvent): void {
    const from = (event.target as Element).closest<HTMLElement>('[data-level]');
    const step = STEPS[event.key];
    if (from === null || step === undefined) return;
    const [level, place] = [Number(from.dataset['level']), Number(from.dataset['at'])];
    const row = levels[level + step[0]]?.units ?? [];
    const at = step[0] === 0 ? place + step[1] : Math.min(place, row.length - 1);
    const to = `[data-level="${level + step[0]}"][data-at="${at}"]`;
    plan.current?.querySelector<HTMLElement>(to)?.focus();
    event.preventDefault();
  }

  return (
    <div className="levels">
      <ul className="levels-legend" aria-label={texts.legend}>
        {STATUSES.flatMap((status) => {
          const count = shown.filter((unit) => unit.status === status).length;
          return count === 0
            ? []
            : [
                <li key={status}>
                  <b>{LETTERS[status]}</b> <UnitStatus status={status} /> {count}
                </li>,
              ];
        })}
      </ul>
      {shown.length < units.length && (
        <p className="soft">{texts.hidden(units.length - shown.length)}</p>
      )}
      <div ref={plan} role="group" aria-label={name} className="levels-plan">
        {levels.map(({ level, units: row }, levelIndex) => (
          <section key={level ?? ''} className="level" aria-label={nameLevel(level)}>
            <h2>{nameLevel(level)}</h2>
            <div className="level-units">
              {row.map((unit, at) => (
                <button
                  key={unit.id}
                  type="button"
                  className={fits.has(unit.id) ? 'level-unit' : 'level-unit level-unit-off'}
                  data-level={levelIndex}
                  data-at={at}
                  onKeyDown={onKeyDown}
                  onClick={() => onOpen(unit.id)}
                >
                  <span className="level-name">{shortName(unit.name ?? '')}</span>
                  <span className="level-status">
                    <Mark of={unit.status ?? ''} isUnit />
                    <span aria-hidden="true">{LETTERS[unit.status ?? '']}</span>
                    <span className="hidden-text">{unit.status}</span>
                  </span>
                  <span className="level-price">{formatPrice(unit)}</span>
                </button>
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}

const STEPS: Record<string, [level: number, place: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Shortens a name for small cells: "Apartment 101" becomes "101". */
const shortName = (name: string): string => /^\p{L}+ (\S*\d\S*)$/u.exec(name)?.[1] ?? name;

const nameLevel = (level: string | null): string =>
  level === null ? texts.noLevel : texts.level(level);
