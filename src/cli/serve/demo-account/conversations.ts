import { readFileSync } from 'node:fs';
import { ROOT } from '../../../platform/config/index.ts';
import type { ContactEntry } from '../../../portability/index.ts';
import { HOUR_MS } from '../../../platform/text/index.ts';
import type { Random } from './random.ts';
import { formatTime, toOfficeHours } from './times.ts';

export type Activity = NonNullable<ContactEntry['activities']>[number];

/** The steps of a conversation with a contact, each with the number of hours since the step before. */
const SCENES = {
  enquiry: [0, 0],
  met: [0, 0.2],
  referred: [0, 20],
  answer: [0.2, 40],
  followup: [30, 200],
  qualify: [40, 260],
  viewing: [60, 400],
  liking: [40, 300],
  reserve: [30, 300],
  contract: [150, 900],
  settle: [900, 3000],
  nurture: [900, 2600],
  lost: [100, 1500],
} as const;
export type Scene = keyof typeof SCENES;

type Line = Pick<Activity, 'type' | 'body' | 'outcome'>;

/** The words that replace the names in braces. */
export type Slots = Record<
  'first' | 'project' | 'unit' | 'suburb' | 'price' | 'beds' | 'me' | 'referrer',
  string
>;

/** Creates a function that makes up the activities of a contact from `from` to `now`, one for each scene. */
export function createConversations(random: Random, now: number) {
  const file = new URL('demo/conversations.json', ROOT);
  const lines = JSON.parse(readFileSync(file, 'utf8')) as Record<Scene, Line[]>;

  function fill(text: string, slots: Slots): string {
    const chosen = text.replace(/\[([^\]]*)\]/g, (_, choices: string) =>
      random.pick(choices.split('|')),
    );
    const words: Record<string, string> = { ...slots, day: random.pick(WEEKDAYS) };
    return chosen.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '').trim();
  }

  return (scenes: Scene[], from: number, slots: Slots, userId: string | null): Activity[] => {
    const waits = scenes.map((scene) => {
      const [least, most] = SCENES[scene];
      // Draw twice, so that most waits are short.
      return random.between(least, random.between(least, most)) * HOUR_MS;
    });
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    // A recent contact has had less time for the same steps, so shorten the waits.
    const pace = Math.min(1, (0.95 * (now - from)) / Math.max(total, 1));
    let time = from;
    return scenes.map((scene, index) => {
      time += (waits[index] ?? 0) * pace;
      const { body, outcome = null, ...line } = random.pick(lines[scene]);
      const isOwn = scene === 'enquiry';
      const office = isOwn ? time : toOfficeHours(random, time, now);
      // The remaining steps follow each other in the last hours.
      const latest = now - (scenes.length - index - random.next()) * 0.5 * HOUR_MS;
      const at = Math.round(Math.max(Math.min(office, latest), from));
      time = Math.max(time, at);
      return {
        ...line,
        body: fill(body, slots),
        outcome: outcome && (fill(outcome, slots) || null),
        occurredAt: formatTime(at),
        userId: isOwn ? null : userId,
      };
    });
  };
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
