/** A failure for the operator: one line that says what is wrong and what to do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** Returns the message of a failure on one line. */
export function getErrorText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();
}

/** Finds the line in the output of PostgreSQL or initdb that says why it failed. */
export function findReason(output: string): string {
  const lines = output.trim().split('\n');
  // While PostgreSQL starts or stops, it answers each client with a FATAL, which does not say why it failed.
  const isReason = (line: string): boolean =>
    /FATAL|PANIC|error:|ERROR/.test(line) &&
    !/the database system is|terminating connection/.test(line);
  const at = lines.findLastIndex(isReason);
  const reason = stripPrefix(lines.at(at) ?? '') || 'it left no message';
  // These lines only name the file; the line before tells what is wrong with it.
  const isVague = /configuration file .* contains errors|could not load /.test(reason);
  return isVague && at > 0 ? `${reason}: ${stripPrefix(lines[at - 1] ?? '')}` : reason;
}

function stripPrefix(line: string): string {
  return line.replace(/^[\d-]+ [\d:.]+ \w+ \[\d+\] (LOG: +)?/, '').trim();
}
