import type { BUYER_TYPES } from '../../../contacts/index.ts';
import type { AccountFile, ContactEntry } from '../../../portability/index.ts';
import { DAY_MS } from '../../../platform/text/index.ts';
import type { createConversations, Slots } from './conversations.ts';
import {
  chooseArchiving,
  chooseLinks,
  chooseTags,
  writeBudget,
  type PlannedLead,
} from './details.ts';
import { describeSize, formatPrice } from './interests.ts';
import type { createPeople } from './people.ts';
import type { Random } from './random.ts';
import { chooseScenes } from './stages.ts';
import { formatTime } from './times.ts';

interface Makers {
  random: Random;
  now: number;
  makePerson: ReturnType<typeof createPeople>;
  converse: ReturnType<typeof createConversations>;
}

/** Creates a function that makes the contact of a planned lead. */
export function createContacts(
  { users = [], projects = [] }: AccountFile,
  { random, now, makePerson, converse }: Makers,
): (lead: PlannedLead) => ContactEntry {
  const team = users.filter(({ active }) => active);
  const former = users.find(({ active }) => active === false);
  const pickColleague = () => random.pickBy(team, ({ role }) => TEAM_WEIGHTS[role ?? ''] ?? 0);

  return (lead) => {
    const { createdAt, stage, interest } = lead;
    const person = makePerson();
    const days = (now - createdAt) / DAY_MS;
    const assigned = random.isChance(stage === 'New' ? 0.4 : 0.03) ? undefined : pickColleague();
    const isOfFormer = days > 240 && random.isChance(0.08);
    const author = (isOfFormer ? former : undefined) ?? assigned ?? pickColleague();
    const source = random.pickWeighted(SOURCE_WEIGHTS);
    const referrer = random.pick(source === 'Referral' ? REFERRERS : AGENCIES);
    const { project, unit } = interest;
    const price = unit?.price ?? random.between(480_000, 1_100_000);
    const slots: Slots = {
      first: person.firstName,
      project: project.name ?? '',
      unit: unit?.name ?? project.name ?? '',
      suburb: person.suburbName ?? project.suburbName ?? '',
      price: formatPrice(Math.round((price * random.between(0.94, 1.06)) / 10_000) * 10_000),
      beds: describeSize(interest),
      me: author.name?.split(' ')[0] ?? '',
      referrer,
    };
    const scenes = chooseScenes(random, stage, source);
    const activities = converse(scenes, createdAt, slots, author.id ?? null);
    const buyerType = random.isChance(0.7) ? random.pickWeighted(BUYER_TYPE_WEIGHTS) : null;
    return {
      id: random.makeId(createdAt),
      ...person,
      notes: random.isChance(0.05) ? random.pick(NOTES) : null,
      source,
      sourceExternalOriginalName: random.pick(LABELS[source] ?? [null]),
      buyerType,
      budget: random.isChance(0.6) ? writeBudget(random, price) : null,
      referredBy: source === 'Referral' || source === 'Agent' ? referrer : null,
      stage,
      importedAt: formatTime(createdAt),
      createdAt: formatTime(createdAt),
      archivedAt: chooseArchiving(random, stage, activities.at(-1)?.occurredAt, now),
      assignedAccountUserId: assigned?.id ?? null,
      tags: chooseTags(random, lead, buyerType, person),
      activities,
      links: chooseLinks(random, lead, projects),
    };
  };
}

const TEAM_WEIGHTS: Record<string, number> = { owner: 2, manager: 8, agent: 30 };
const SOURCE_WEIGHTS = {
  Website: 44,
  'Open Home': 18,
  Referral: 9,
  Agent: 8,
  'Social Media': 13,
  Other: 8,
} as const;
const BUYER_TYPE_WEIGHTS: Record<(typeof BUYER_TYPES)[number], number> = {
  'First Home Buyer': 32,
  Investor: 20,
  Downsizer: 17,
  Upgrader: 25,
  Other: 6,
};
const LABELS: Record<string, (string | null)[]> = {
  Website: [null, null, null, 'Property portal', 'Brochure form'],
  'Social Media': ['Facebook lead form', 'Instagram', 'TikTok', null],
  Other: [
    'Billboard',
    'Newspaper, property pages',
    'Radio',
    'Letterbox drop',
    'Home show',
    'API Import',
  ],
};
const AGENCIES = [
  'Ponga & Partners',
  'Harbour Realty',
  'Southern Cross Property',
  'Te Ara Real Estate',
];
const NOTES = [
  'Prefers email to phone.',
  'Rings back after six.',
  'Uses a wheelchair: step-free entrance and lift needed.',
  'Speaks Mandarin at home; Daniel can call.',
  'Sister of a buyer in stage one.',
  'Allergic to carpet, asks for timber floors.',
  'Overseas until March, mornings New Zealand time work best.',
  'Two large dogs.',
];

const REFERRERS = [
  'Aroha Ngata',
  'Margaret Holloway',
  'Rajesh Patel',
  'Wei (Grace) Zhang',
  'Fiona McAllister',
  'Sione Tuʻipulotu',
  'Callum Drummond',
  'Priscilla Naidoo',
];
