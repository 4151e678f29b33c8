import type { ContactEntry, ProjectEntry, UnitEntry } from '../../../portability/index.ts';
import type { Random } from './random.ts';
import { findBuyerStage } from './stages.ts';

/** The project, and perhaps the unit, that a contact is interested in. */
export interface Interest {
  project: ProjectEntry;
  unit: UnitEntry | undefined;
}

/** The relative number of leads for each project. */
const WEIGHTS: Record<string, number> = {
  harbourlight: 24,
  'the-ropewalk': 26,
  lakefold: 14,
  'figbird-wharf': 9,
  marram: 13,
  'matagouri-flat': 9,
  'hatea-quay': 5,
  'brickworks-lane': 5,
  'basalt-row': 3,
  'durie-steps': 1,
};

export const FOR_SALE = new Set<UnitEntry['status']>(['Coming Soon', 'Available', 'On Hold']);

/** Creates a function that picks a project and, when there is one, a unit of it that is for sale. */
export function createInterests(random: Random, projects: ProjectEntry[]): () => Interest {
  return () => {
    const project = random.pickBy(projects, ({ slug = '' }) => WEIGHTS[slug] ?? 1);
    const units = (project.units ?? []).filter(({ unitType }) => unitType !== 'Other');
    const forSale = units.filter(({ status }) => FOR_SALE.has(status));
    return { project, unit: random.pick(forSale.length > 0 ? forSale : units) };
  };
}

/** Lists the units that are reserved or sold and whose buyers are not among these contacts. */
export function listUnitsWithoutBuyer(
  projects: ProjectEntry[],
  contacts: ContactEntry[],
): Interest[] {
  const linked = new Set(contacts.flatMap(({ links = [] }) => links.map(({ unitId }) => unitId)));
  return projects.flatMap((project) =>
    (project.units ?? [])
      .filter(({ id = '', status = '' }) => findBuyerStage(status) && !linked.has(id))
      .map((unit) => ({ project, unit })),
  );
}

const BEDROOMS = ['a studio', 'one bedroom', 'two bedrooms', 'three bedrooms', 'four bedrooms'];

export function describeSize({ unit }: Interest): string {
  if (unit?.unitType === 'Land') return 'a section';
  return BEDROOMS[unit?.bedrooms ?? 2] ?? 'five bedrooms';
}

/** Formats a price as salespeople write it, such as $845k or $1.25m. */
export function formatPrice(price: number): string {
  return price < 1_000_000
    ? `$${Math.round(price / 1000)}k`
    : `$${Number((price / 1_000_000).toFixed(2))}m`;
}
