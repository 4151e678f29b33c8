import type { Stage } from '../../../contacts/index.ts';
import type { ContactEntry, ProjectEntry } from '../../../portability/index.ts';
import { DAY_MS } from '../../../platform/text/index.ts';
import { formatPrice, type Interest } from './interests.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';
import { formatTime } from './times.ts';

/** A planned lead: when it came in, its stage, and its interest. */
export interface PlannedLead {
  createdAt: number;
  stage: Stage;
  interest: Interest;
  /** Whether the person has reserved or bought the unit. */
  isBuyer: boolean;
}

/** Writes a budget near the price of a home: a number, or a text as people enter it. */
export function writeBudget(random: Random, price: number): number | string {
  const amount = Math.round((price * random.between(0.9, 1.08)) / 10_000) * 10_000;
  const text = formatPrice(amount);
  return random.pick([
    amount,
    amount,
    `up to ${text}`,
    `${text}–${formatPrice(amount + 60_000)}`,
    `around ${text}`,
  ]);
}

/** Chooses when a lost contact was archived: 20 to 60 days after the latest activity. Null for a contact that is not. */
export function chooseArchiving(
  random: Random,
  stage: Stage,
  latest: string | undefined,
  now: number,
): string | null {
  const time = Date.parse(latest ?? '') + random.between(20, 60) * DAY_MS;
  return stage === 'Lost' && time < now && random.isChance(0.06) ? formatTime(time) : null;
}

const SERIOUS = new Set<Stage>(['Qualified', 'Viewing', 'Reserved', 'Under Contract', 'Settled']);

/** Chooses the tags that suit the stage, the type of buyer and the country of a contact. */
export function chooseTags(
  random: Random,
  { stage, interest: { project } }: PlannedLead,
  buyerType: string | null,
  { country }: Person,
): string[] {
  const isSerious = SERIOUS.has(stage);
  const shares: Record<string, number> = {
    Newsletter: stage === 'Nurture' ? 0.6 : 0.18,
    KiwiSaver: buyerType === 'First Home Buyer' ? 0.3 : 0,
    'Finance approved': isSerious ? 0.4 : 0.02,
    'Cash buyer': isSerious ? 0.12 : 0.02,
    'Needs to sell first': buyerType === 'Upgrader' || buyerType === 'Downsizer' ? 0.25 : 0.02,
    Expat: country === 'Australia' ? 0.8 : 0.02,
    'Launch night': 0.04,
    'Penthouse list': project.slug === 'harbourlight' ? 0.05 : 0,
    'Stage 2 waitlist': stage === 'Nurture' ? 0.12 : 0,
    'Tenanted portfolio': buyerType === 'Investor' ? 0.1 : 0,
    'Repeat buyer': 0.02,
    'Reo Māori': 0.02,
    VIP: 0.015,
  };
  return Object.entries(shares).flatMap(([tag, share]) => (random.isChance(share) ? [tag] : []));
}

/** Chooses the project or unit of the contact's interest, and sometimes a second project. Some contacts have no link. */
export function chooseLinks(
  random: Random,
  { stage, isBuyer, interest: { project, unit } }: PlannedLead,
  projects: ProjectEntry[],
): NonNullable<ContactEntry['links']> {
  const isOfUnit = isBuyer || stage === 'Viewing' || random.isChance(stage === 'New' ? 0.1 : 0.25);
  const own = { projectId: project.id ?? '', unitId: isOfUnit ? (unit?.id ?? null) : null };
  if (!isBuyer && random.isChance(0.08)) return [];
  const other = random.pick(projects).id ?? '';
  const hasOther = other !== own.projectId && random.isChance(0.1);
  return hasOther ? [own, { projectId: other, unitId: null }] : [own];
}
