import type { Unit } from '../../api.ts';
import './status.css';

type Colour = 'blue' | 'violet' | 'amber' | 'green' | 'grey' | 'red' | 'ink';
type Shape = 'ring' | 'half' | 'dot' | 'diamond' | 'square' | 'bar' | 'cross';

/** The marks of stages and of unit statuses. Each has a colour and a shape, so that nobody depends on the colour. */
const MARKS: Record<string, [Colour, Shape]> = {
  New: ['blue', 'ring'],
  Contacted: ['violet', 'half'],
  Qualified: ['violet', 'dot'],
  Viewing: ['violet', 'diamond'],
  Reserved: ['amber', 'square'],
  'Under Contract': ['amber', 'diamond'],
  Settled: ['green', 'square'],
  Nurture: ['grey', 'bar'],
  Lost: ['red', 'cross'],
};

const UNIT_MARKS: Record<string, [Colour, Shape]> = {
  Available: ['green', 'dot'],
  'Coming Soon': ['blue', 'ring'],
  'On Hold': ['grey', 'bar'],
  Reserved: ['amber', 'half'],
  'Under Contract': ['amber', 'diamond'],
  Unconditional: ['violet', 'diamond'],
  Settled: ['ink', 'square'],
  Withdrawn: ['grey', 'cross'],
};

/** A mark without its word, for a chart or a plan. The word must stand beside it, or be its accessible name. */
export function Mark({ of, isUnit = false }: { of: string; isUnit?: boolean }) {
  const [colour, shape] = (isUnit ? UNIT_MARKS : MARKS)[of] ?? ['grey', 'dot'];
  return <span className={`mark mark-${shape} mark-${colour}`} aria-hidden="true" />;
}

/** The stage of a contact: its mark and word. */
export function Stage({ stage }: { stage: string | null | undefined }) {
  if (stage == null) return null;
  return (
    <span className="status">
      <Mark of={stage} />
      {stage}
    </span>
  );
}

/** The status of a unit: its mark and word. */
export function UnitStatus({ status }: { status: string }) {
  return (
    <span className={status === 'Withdrawn' ? 'status status-struck' : 'status'}>
      <Mark of={status} isUnit />
      {status}
    </span>
  );
}

const PUBLICATION_MARKS = {
  live: ['green', 'dot', 'Live'],
  draft: ['blue', 'ring', 'Draft'],
  archived: ['grey', 'bar', 'Archived'],
} as const;

/** The publication of a project: its mark and word. */
export function Publication({ of }: { of: keyof typeof PUBLICATION_MARKS }) {
  const [colour, shape, word] = PUBLICATION_MARKS[of];
  return (
    <span className="status">
      <span className={`mark mark-${shape} mark-${colour}`} aria-hidden="true" />
      {word}
    </span>
  );
}

/** A status that only one page has: its mark and word. */
export function MarkedWord({
  mark: [colour, shape],
  children,
}: {
  mark: readonly [Colour, Shape];
  children: string;
}) {
  return (
    <span className="status">
      <span className={`mark mark-${shape} mark-${colour}`} aria-hidden="true" />
      {children}
    </span>
  );
}

export const STAGES = Object.keys(MARKS);
/** The stages at which a contact has a unit. */
export const STAGES_WITH_UNIT: readonly string[] = ['Reserved', 'Under Contract', 'Settled'];
export const UNIT_STATUSES = Object.keys(UNIT_MARKS);
/** The statuses that people with only `units:hold` may change and set. */
export const HELD_STATUSES: readonly NonNullable<Unit['status']>[] = [
  'Available',
  'On Hold',
  'Reserved',
];
