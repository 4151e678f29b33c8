import pg from 'pg';
import sql from 'sql-template-tag';
import { ReadOnlyError } from './errors.ts';
import { query, type Queryable } from './query.ts';

/** The parameters of a server that takes no writes. PostgreSQL reports them at the start, and when they change. */
const READ_ONLY_PARAMETERS = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** A connection that notes whether its server takes writes. */
export class ServerAwareClient extends pg.Client {
  /** The names of the `READ_ONLY_PARAMETERS` that are on. */
  readonly readOnlyParameters = new Set<string>();

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (!READ_ONLY_PARAMETERS.has(parameterName)) return;
      if (parameterValue === 'on') this.readOnlyParameters.add(parameterName);
      else this.readOnlyParameters.delete(parameterName);
    });
  }
}

interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/** Whether the server of a connection takes no writes, as it last said. A connection keeps `default_transaction_read_only`. */
export const isReadOnly = (client: pg.Client): boolean =>
  client instanceof ServerAwareClient && client.readOnlyParameters.size > 0;

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
