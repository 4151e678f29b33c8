import { Type, type Static } from 'typebox';
import { nullable, oneOf, orNull } from '../platform/fields/index.ts';

/** The parts of a span of days that figures are given for. */
const INTERVALS = ['day', 'week', 'month'] as const;
const GROUPS = ['source', 'project', 'user', 'stage'] as const;
export type Group = (typeof GROUPS)[number];

const day = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: ['2026-11-01'] }));

const SPAN = {
  from: day('The first day. Without it, the span is the 30 days that end with `to`.'),
  to: day('The last day, inclusive; today without it.'),
  timeZone: Type.Optional(
    Type.String({
      format: 'time-zone',
      maxLength: 100,
      description: 'The IANA time zone of the days; that of the organization without it.',
      examples: ['Pacific/Auckland'],
    }),
  ),
};

const ofProjects = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description }));

export const LeadQuery = Type.Object({
  ...SPAN,
  project: ofProjects('The id of a project: only leads of contacts that are linked to it.'),
  interval: oneOf(
    INTERVALS,
    'The length of an interval; `day` without it. A week begins on Monday.',
  ),
  groupBy: oneOf(
    GROUPS,
    'What the figures are grouped by. Without it, each interval has one figure.',
  ),
});
export type LeadQuery = Static<typeof LeadQuery>;

export const StockQuery = Type.Object({
  project: ofProjects('The id of a project.'),
});

export const ResponseQuery = Type.Object({
  ...SPAN,
  project: ofProjects('The id of a project: only contacts that are linked to it.'),
});
export type ResponseQuery = Static<typeof ResponseQuery>;

const count = (description: string) => Type.Integer({ description });

const LeadFigure = Type.Object(
  {
    start: Type.String({ format: 'date', description: 'The first day of the interval.' }),
    group: nullable('string', 'The source, the stage, or the id of the project or person.'),
    newContacts: count('Contacts that were created, archived ones too.'),
    enquiries: count('Activities of the type `enquiry`.'),
    refused: orNull(
      'integer',
      'Imports in the log that were refused, in the group null; null with `project`, and for an agent who sees only their own contacts.',
    ),
  },
  { $id: 'LeadFigure', description: 'The leads of an interval.' },
);
export type LeadFigure = Static<typeof LeadFigure>;

const StockFigure = Type.Object(
  {
    projectId: Type.String({ format: 'uuid' }),
    status: Type.String({ examples: ['Available'] }),
    currency: nullable(
      'string',
      'The currency of the prices. A unit without one counts with that of the organization.',
    ),
    count: count('How many units there are.'),
    value: Type.Number({ description: 'The sum of their prices.', examples: [7_640_000] }),
    priced: count('How many of them have a price.'),
  },
  { $id: 'StockFigure', description: 'The units of a project that have one status.' },
);
export type StockFigure = Static<typeof StockFigure>;

const ResponseFigure = Type.Object(
  {
    userId: nullable('string', 'The person whom the contacts are assigned to; null for nobody.', {
      format: 'uuid',
    }),
    contacts: count('Contacts that were created, archived ones too.'),
    answered: count('How many of them were answered.'),
    medianSeconds: orNull(
      'integer',
      'The median of the times from creation to the first answer; null without one.',
    ),
  },
  { $id: 'ResponseFigure', description: 'How soon the contacts of a person were answered.' },
);
export type ResponseFigure = Static<typeof ResponseFigure>;

export const FIGURE_SCHEMAS = [LeadFigure, StockFigure, ResponseFigure];
