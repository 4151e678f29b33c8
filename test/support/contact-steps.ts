import fc from 'fast-check';
import type { ModelLead } from './contact-model.ts';
import {
  DRAFT,
  INACTIVE_USER,
  LIVE,
  NOWHERE,
  OTHER_LIVE,
  OTHER_UNIT,
  OTHER_USER,
  UNIT,
  USER,
  WITHDRAWN_UNIT,
} from './developer.ts';

/** One thing that happens to an account. */
export type Step =
  | { kind: 'import'; leads: ModelLead[] | ModelLead; dryRun: boolean; key: string | null }
  | { kind: 'repeat'; which: number }
  | { kind: 'archive'; email: string }
  | { kind: 'add'; email: string; fields: Record<string, string | number>; archived: boolean }
  | { kind: 'merge'; email: string; keep: number };

// Few values, so that steps meet; each in spellings that are equal, or nearly.
const email = fc.constantFrom('a@x.nz', ' A@X.NZ\n', 'A@x.nz', 'zoë@x.nz', 'ZOE\u0308@x.nz');
const oneOf = (...values: unknown[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const rarely = <T>(often: fc.Arbitrary<T>, ...seldom: T[]) =>
  fc.oneof({ arbitrary: often, weight: 20 }, { arbitrary: fc.constantFrom(...seldom), weight: 1 });

const place = rarely(
  fc.constantFrom<object>(
    {},
    { projectId: '', unitId: null },
    { projectId: LIVE },
    { projectId: LIVE, unitId: UNIT },
    { projectId: OTHER_LIVE.toUpperCase() },
    { projectId: OTHER_LIVE, unitId: OTHER_UNIT },
  ),
  { unitId: UNIT },
  { projectId: DRAFT },
  { projectId: 'x', unitId: 'y' },
  { projectId: LIVE, unitId: OTHER_UNIT },
  { projectId: LIVE, unitId: WITHDRAWN_UNIT },
);

const lead = fc
  .record({
    email: rarely(email, '', 'none', 'a@x'),
    firstName: oneOf('Ari', ' ', null),
    lastName: oneOf('Ō', ''),
    name: oneOf('A. Ō', ' \t'),
    phone: oneOf('1', '2', null),
    cityName: oneOf('Taupō', ' Taupō'),
    notes: oneOf('x', 'y', 'y ', '', null),
    tag: oneOf('Hot', ' hOT ', 'A,B', ''),
    tags: oneOf('Hot, cold,,COLD', 'a,b', ['cold', 'a,b', 'O\u0304'], ['ō', 'o'], [], null),
    source: oneOf('Website', 'aGENT', 'Billboard', 'Other', ' ', null),
    sourceExternalOriginalName: oneOf('Fair', ' '),
    buyerType: rarely(oneOf('Investor', 'Upgrader', ''), 'Speculator'),
    budget: oneOf(0, 5, '5', ' ', null),
    assignedAccountUserId: rarely(oneOf(USER, OTHER_USER, null), INACTIVE_USER, NOWHERE),
    place,
  })
  // JSON leaves undefined fields out.
  .map(({ place, ...rest }) => JSON.parse(JSON.stringify({ ...rest, ...place })) as ModelLead);

const fields = fc.record(
  {
    name: fc.constantFrom('N', ' '),
    phone_primary: fc.constantFrom('3', ''),
    city_name: fc.constantFrom('Māngere', '\n'),
    notes: fc.constantFrom('free', ' '),
    stage: fc.constant('Lost'),
    source: fc.constantFrom('Referral', 'Other'),
    source_external_original_name: fc.constantFrom('Stall', ' '),
    budget: fc.constantFrom(0, 7, '', '7'),
  },
  { requiredKeys: [] },
);

const kind = <K extends Step['kind']>(name: K) => fc.constant(name);
/** Any step. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: kind('import'),
      leads: fc.oneof(lead, fc.array(lead, { maxLength: 4 })),
      dryRun: fc.nat(5).map((n) => n === 0),
      key: fc.constantFrom(null, null, null, null, 'k', 'l'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('repeat'), which: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('archive'), email }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind('add'), email, fields, archived: fc.boolean() }),
  },
  { weight: 8, arbitrary: fc.record({ kind: kind('merge'), email, keep: fc.nat(2) }) },
);
