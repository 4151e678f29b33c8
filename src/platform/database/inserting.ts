import type { Sql } from 'sql-template-tag';

/** How a statement inserts rows. */
export interface Inserting {
  /** A WHERE; without one, always. */
  condition?: Sql;
  /** Whether none of them can be there already: PostgreSQL then need not look for each before it writes it. */
  areNew?: boolean;
}
