import { Type, type TSchema } from 'typebox';

const VALUES_MAX_COUNT = 100;

/** Makes the schema of a member of a filter: up to 100 values, any of which a row must have. */
export const anyOf = <Value = string>(items: TSchema, description: string) =>
  Type.Optional(
    Type.Unsafe<Value[]>({
      type: 'array',
      items,
      minItems: 1,
      maxItems: VALUES_MAX_COUNT,
      description,
    }),
  );

/** Makes the schema of a member of a filter: the time before or after which rows match. */
export const timeLimit = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }));
