import { Type, type Static } from 'typebox';
import { timeLimit } from '../../platform/fields/index.ts';
import { PROJECT_STATUSES, PUBLICATIONS } from '../schemas.ts';

const enumsOf = (values: readonly string[], description: string) =>
  Type.Optional(
    Type.Unsafe<string[]>({
      type: 'array',
      items: Type.Enum([...values], { type: 'string' }),
      minItems: 1,
      description,
    }),
  );

/** The filter of projects. A project must match all given members, and for a list, any of its values. */
const ProjectFilter = Type.Object(
  {
    publication: enumsOf(PUBLICATIONS, 'Whether the stock endpoints show it.'),
    status: enumsOf(PROJECT_STATUSES, 'Where its sales stand.'),
    q: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 200,
        description: 'Each word begins a word of the name, the suburb, the city or the region.',
      }),
    ),
    updated_since: timeLimit('Only projects that changed later.'),
  },
  { additionalProperties: false },
);
export type ProjectFilter = Static<typeof ProjectFilter>;

export const PROJECT_LIST = {
  filter: ProjectFilter,
  sorts: ['-updatedAt', 'updatedAt', 'name', '-name'],
} as const;
