import { Type, type Static } from 'typebox';
import { nullable } from '../platform/fields/index.ts';

/** The person, API key or command (`system`) that changed something, as the API shows it. */
export const Actor = Type.Object(
  {
    type: Type.Enum(['user', 'key', 'system']),
    id: nullable('string', 'null when `type` is `system`.', { format: 'uuid' }),
    name: Type.String({ examples: ['website'] }),
  },
  { $id: 'Actor', description: 'The person, API key or command that did something.' },
);
export type Actor = Static<typeof Actor>;
