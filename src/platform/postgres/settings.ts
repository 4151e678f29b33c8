/** What we add to the postgresql.conf that initdb made for this machine; the last word counts. */
export const postgresqlConf = `
# Offplan ----------------------------------------------------------------------
# No network: only the Unix socket in a folder that others cannot enter.
listen_addresses = ''
port = 5432
unix_socket_permissions = 0700
cluster_name = 'offplan'

# An acknowledged commit is on the disk.
fsync = on
synchronous_commit = on
full_page_writes = on

# A small machine with a solid-state disk and short queries: few helper processes, no compiling.
random_page_cost = 1.1
jit = off
io_method = sync
max_logical_replication_workers = 0

# The same everywhere.
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'

# The log tells how the server fares and never holds what a client sent; a failed statement is the
# client's to report.
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_checkpoints = off
log_autovacuum_min_duration = -1
`;

/** Who may come in: by the socket, as the operating system's user that the map knows. */
export const pgHbaConf = 'local all all peer map=offplan\n';

/** The map: the server's own user and root are the role offplan, and nobody else is anyone. */
export function pgIdentConf(userName: string): string {
  const names = [...new Set([userName, 'root'])];
  return names.map((name) => `offplan "${name.replaceAll('"', '""')}" offplan\n`).join('');
}

/** A folder as an element of the list unix_socket_directories. */
export function quoteFolder(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
