import type { ContactEntry, ProjectEntry, UnitEntry } from '../../../portability/index.ts';
import { DAY_MS } from '../../../platform/text/index.ts';
import { FOR_SALE } from './interests.ts';
import type { Random } from './random.ts';
import { toMorning } from './times.ts';

type Status = NonNullable<UnitEntry['status']>;
type UnitChange = Partial<Pick<UnitEntry, 'status' | 'price'>>;

/** The changes of units on one day, by the ids of the units. */
export interface StockStep {
  at: Date;
  changes: Map<string, UnitChange>;
}

/** The projects as they were a year ago, and the changes since then, in order. */
export interface StockHistory {
  before: ProjectEntry[];
  steps: StockStep[];
}

const STEP_COUNT = 23;
const DAYS_BETWEEN_STEPS = 15;
const LATEST_STEP_DAYS_AGO = 5;

/** The statuses through which units come to the one that they have today. */
const PATHS: Record<string, Status[]> = {
  Available: ['Coming Soon', 'Available'],
  'On Hold': ['Available', 'On Hold'],
  Reserved: ['Coming Soon', 'Available', 'Reserved'],
  'Under Contract': ['Available', 'Reserved', 'Under Contract'],
  Unconditional: ['Available', 'Reserved', 'Under Contract', 'Unconditional'],
  Settled: ['Under Contract', 'Unconditional', 'Settled'],
  Withdrawn: ['Available', 'Withdrawn'],
};

/** Makes up a history of prices and statuses that ends with those in the file. It covers the live projects. */
export function planStockHistory(
  random: Random,
  projects: ProjectEntry[],
  contacts: ContactEntry[],
  now: number,
): StockHistory {
  const times = Array.from({ length: STEP_COUNT }, (_, index) =>
    toMorning(
      now - (LATEST_STEP_DAYS_AGO + (STEP_COUNT - 1 - index) * DAYS_BETWEEN_STEPS) * DAY_MS,
    ),
  );
  const steps = times.map((at): StockStep => ({ at: new Date(at), changes: new Map() }));
  const interestedAt = findFirstInterest(contacts);
  const before = projects.map((project): ProjectEntry => {
    if (project.publication !== 'live' || project.units === undefined) return project;
    const rises = planRises(random);
    const release = Math.floor(random.between(1, 5));
    const units = project.units.map((unit) => {
      const { id = '', status = 'Coming Soon' } = unit;
      const since = (interestedAt.get(id) ?? times[release + 3] ?? now) + 2 * DAY_MS;
      const first = times.findIndex((time) => time >= since);
      const statuses = planStatuses(random, PATHS[status] ?? [status], { release, first });
      return rewind(unit, statuses, rises, steps);
    });
    return { ...project, units };
  });
  return { before, steps };
}

/** Finds, for each unit, the time of the first contact that is interested in it. */
function findFirstInterest(contacts: ContactEntry[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { createdAt, links = [] } of contacts)
    for (const { unitId } of links) {
      const time = Date.parse(createdAt ?? '');
      if (unitId != null && time < (times.get(unitId) ?? Infinity)) times.set(unitId, time);
    }
  return times;
}

/** Plans the days on which the prices of a project rise, each with the share by which they rise. */
function planRises(random: Random): Map<number, number> {
  const rise = () => Math.round(random.between(3, 7)) / 200;
  return new Map([
    [Math.floor(random.between(5, 10)), rise()],
    [Math.floor(random.between(13, 19)), rise()],
  ]);
}

/** Plans the days on which the status of a unit changes. The release is before the first interested contact, the sale after it. */
function planStatuses(
  random: Random,
  path: Status[],
  { release, first }: { release: number; first: number },
): Map<number, Status> {
  const statuses = new Map<number, Status>();
  const sold = path.filter((each) => each !== 'Coming Soon' && each !== 'Available');
  const [start] = path;
  const changes = sold.slice(start === sold[0] ? 1 : 0);
  const room = first === -1 ? 0 : STEP_COUNT - first;
  const kept = changes.slice(Math.max(0, changes.length - room));
  for (const [index, status] of kept.entries()) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((part * room) / kept.length));
    statuses.set(first + Math.floor(random.between(from ?? 0, to ?? 0)), status);
  }
  const isReleased = start === 'Coming Soon' && path.includes('Available');
  if (isReleased && kept.length === changes.length && (changes.length === 0 || release < first))
    if (random.isChance(0.7)) statuses.set(release, 'Available');
  return statuses;
}

/** Undoes the changes of a unit, newest first, and records each in its step. Returns the unit of a year ago. */
function rewind(
  unit: UnitEntry,
  statuses: Map<number, Status>,
  rises: Map<number, number>,
  steps: StockStep[],
): UnitEntry {
  let { status = 'Coming Soon', price = null } = unit;
  const path = PATHS[status] ?? [];
  for (const [index, { changes }] of [...steps.entries()].toReversed()) {
    const change: UnitChange = {};
    const next = statuses.get(index);
    if (next !== undefined) {
      change.status = next;
      status = path[path.indexOf(next) - 1] ?? status;
    }
    const rise = rises.get(index);
    if (rise !== undefined && price !== null && FOR_SALE.has(status)) {
      change.price = price;
      price = Math.round(price / (1 + rise) / 1000) * 1000;
    }
    if (Object.keys(change).length > 0) changes.set(unit.id ?? '', change);
  }
  return { ...unit, status, price };
}
