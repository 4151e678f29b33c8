import pg from 'pg';
import sql from 'sql-template-tag';
import { ReadOnlyError } from './errors.ts';
import { query, type Queryable } from './query.ts';

const standbys = new WeakSet<pg.Client>();

/** A connection that notes whether its server is a standby. PostgreSQL reports that at the start, and at a promotion. */
export class ServerAwareClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName !== 'in_hot_standby') return;
      if (parameterValue === 'on') standbys.add(this);
      else standbys.delete(this);
    });
  }
}

interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/** Whether the server of a connection was a standby when it last said so. */
export const isOnStandby = (client: pg.Client): boolean => standbys.has(client);

/** Throws a ReadOnlyError when the server takes no writes. */
export async function requireWritableServer(db: Queryable): Promise<void> {
  const [server] = await query<{ isStandby: boolean; isReadOnly: boolean }>(
    db,
    'server_state',
    sql`select pg_is_in_recovery() as "isStandby",
      current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
  );
  if (server?.isStandby === true)
    throw new ReadOnlyError('The database is a standby, which takes no writes.');
  if (server?.isReadOnly === true)
    throw new ReadOnlyError('The database takes no writes: default_transaction_read_only is on.');
}
