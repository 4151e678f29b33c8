import sql, { join, type Sql } from 'sql-template-tag';

type Condition = Sql | false | undefined;

/** Joins conditions by `and`, without those that are false or undefined. Throws when none is left. */
export function joinAnd(conditions: Condition[]): Sql {
  return join(conditions.filter(isGiven), ' and ');
}

/**
 * Joins conditions by `and`: those that a statement always has, and those of a filter. Each set of a filter's conditions makes
 * another statement, so append the suffix, such as `_status_type`, to its name.
 */
export function joinFilter(
  always: Sql[],
  filter: Record<string, Condition>,
): { where: Sql; suffix: string } {
  const given = Object.entries(filter).filter(([, condition]) => isGiven(condition));
  return {
    where: joinAnd([...always, ...given.map(([, condition]) => condition)]),
    suffix: given.map(([name]) => `_${name}`).join(''),
  };
}

/**
 * Builds the condition that a row matches each term of a search, by any of its patterns of LIKE. Nothing matches a search without
 * a term.
 */
export function matchesTerms(terms: string[][], isLike: (pattern: string) => Sql): Sql {
  if (terms.length === 0) return sql`false`;
  return joinAnd(terms.map((patterns) => sql`(${join(patterns.map(isLike), ' or ')})`));
}

const isGiven = (condition: Condition): condition is Sql =>
  condition !== undefined && condition !== false;
