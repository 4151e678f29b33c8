import type { Stage } from '../../../contacts/index.ts';
import type { Random } from './random.ts';
import type { Scene } from './conversations.ts';

type Weights = Partial<Record<Stage, number>>;

/** The weights of stages by the age of a lead in days. They are not for buyers of units. */
const STAGES_BY_AGE: [days: number, weights: Weights][] = [
  [2, { New: 70, Contacted: 30 }],
  [14, { New: 24, Contacted: 46, Qualified: 17, Viewing: 9, Nurture: 2, Lost: 2 }],
  [60, { New: 3, Contacted: 30, Qualified: 20, Viewing: 15, Nurture: 13, Lost: 19 }],
  [180, { Contacted: 13, Qualified: 9, Viewing: 6, Nurture: 31, Lost: 41 }],
  [Infinity, { Contacted: 4, Qualified: 3, Viewing: 1, Nurture: 39, Lost: 53 }],
];

/** Picks the stage of a lead that came in some days ago. */
export function pickStage(random: Random, days: number): Stage {
  const [, weights] = STAGES_BY_AGE.find(([most]) => days < most) ?? [];
  return random.pickWeighted(weights ?? {});
}

/** The stage of a buyer, and the range of days since they came in, by the status of their unit. Other statuses have no buyer. */
const BUYERS: Record<string, { stage: Stage; days: [from: number, to: number] }> = {
  Reserved: { stage: 'Reserved', days: [12, 110] },
  'Under Contract': { stage: 'Under Contract', days: [45, 240] },
  Unconditional: { stage: 'Under Contract', days: [90, 340] },
  Settled: { stage: 'Settled', days: [250, 364] },
};

export const findBuyerStage = (unitStatus: string) => BUYERS[unitStatus];

/** Chooses the scenes that brought a contact to its stage. */
export function chooseScenes(random: Random, stage: Stage, source: string): Scene[] {
  const some = (share: number, ...scenes: Scene[]) => (random.isChance(share) ? scenes : []);
  const first = ARRIVALS[source] ?? some(0.5, 'enquiry');
  if (stage === 'New') return first;
  const answered: Scene[] = [...first, 'answer', ...some(0.15, 'followup')];
  const qualified: Scene[] = [...answered, 'qualify', ...some(0.2, 'followup')];
  const viewed: Scene[] = [...qualified, ...some(0.35, 'viewing'), 'liking'];
  const reserved: Scene[] = [...viewed, 'reserve'];
  const bought: Scene[] = [...reserved, 'contract', ...some(0.6, 'contract')];
  const scenes: Record<Exclude<Stage, 'New'>, Scene[]> = {
    Contacted: [...answered, ...some(0.1, 'followup')],
    Qualified: qualified,
    Viewing: viewed,
    Reserved: reserved,
    'Under Contract': bought,
    Settled: [...bought, 'settle', ...some(0.5, 'settle')],
    Nurture: [...first, ...some(0.5, 'answer'), 'nurture', ...some(0.1, 'nurture')],
    Lost: [...first, ...some(0.3, 'answer'), ...some(0.1, 'viewing'), 'lost'],
  };
  return scenes[stage];
}

const ARRIVALS: Record<string, Scene[]> = {
  'Open Home': ['met'],
  Referral: ['referred'],
  Agent: ['referred'],
};
