import { createConfigError } from './values.ts';

/** The modes of libpq, from none to the strictest. Each from `require` on insists on TLS. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
const INSISTING_MODES = SSL_MODES.slice(SSL_MODES.indexOf('require'));
const DATABASE_EXAMPLE = 'postgresql://user@host:5432/offplan';

/** Parses the URL of a server that has one of these schemes. The errors leave the URL out, since it can contain a password. */
export function parseServerUrl(name: string, text: string, schemes: RegExp, example: string) {
  if (!schemes.test(text)) throw createConfigError(name, `a URL such as ${example}`);
  if (!isPercentEncoded(text))
    throw createConfigError(
      name,
      'percent-encoded: write @ / ? # % and a space in its user name or password as %40 %2F %3F %23 %25 %20',
    );
  if (URL.canParse(text)) return text;
  throw createConfigError(name, `a URL such as ${example}`);
}

/**
 * Whether the user name and the password of a URL are percent-encoded. A parser takes a bare `/`, `?` or `#` in a password for
 * the end of the host. The `@` after the password is then in the path or the query.
 */
function isPercentEncoded(text: string): boolean {
  const [, authority = '', rest = ''] = /^\w+:\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  const isMisread = authority.split('@').length > 2 || /[@#]/.test(rest);
  return !isMisread && !/\s|%(?![\da-f]{2})/i.test(text);
}

/** The sslmode and sslrootcert for a URL that has none: those of PGSSLMODE and PGSSLROOTCERT, as for psql. */
type TlsDefaults = Record<'sslmode' | 'sslrootcert', string | undefined>;

/** A list of hosts or ports, as libpq accepts it: in the place of the host, or as a parameter. */
const SEVERAL_HOSTS =
  /^\w+:\/\/(?:[^/?#]*@)?[^@/?#]*,[^@/?#]*(?:[/?#]|$)|[?&](?:host|port)=[^&]*(?:,|%2c)/i;

/** Parses the URL of a PostgreSQL. Its parameters for TLS mean the same as in libpq (psql, pg_dump). */
export function parseDatabaseUrl(name: string, given: string, defaults: TlsDefaults): string {
  // libpq accepts a user without a host, usually with the folder of a Unix socket as a parameter. `URL` does not.
  const text = given.replace(/^(\w+:\/\/[^/?#]+@)(?=\/)/, '$1localhost');
  if (SEVERAL_HOSTS.test(text))
    throw createConfigError(
      name,
      'a URL of one host: an address that follows the primary, such as that of HAProxy (docs/high-availability.md)',
    );
  parseServerUrl(name, text, /^postgres(ql)?:\/\//, DATABASE_EXAMPLE);
  const url = new URL(text);
  const { searchParams } = url;
  // Other drivers write `ssl=true`, and libpq accepts it.
  if (searchParams.get('ssl') === 'true') replaceParameter(searchParams, 'ssl', 'require');
  for (const [parameter, value] of Object.entries(defaults))
    if (value !== undefined && !searchParams.has(parameter)) searchParams.set(parameter, value);
  if (searchParams.get('sslrootcert') === 'system' && !searchParams.has('sslmode'))
    searchParams.set('sslmode', 'verify-full');
  const fault = findTlsFault(searchParams);
  if (fault !== undefined) throw createConfigError(name, fault);
  return url.search === new URL(text).search ? text : url.toString();
}

function replaceParameter(parameters: URLSearchParams, name: string, mode: string): void {
  parameters.delete(name);
  if (!parameters.has('sslmode')) parameters.set('sslmode', mode);
}

function findTlsFault(parameters: URLSearchParams): string | undefined {
  const mode = parameters.get('sslmode');
  const isDirect = parameters.get('sslnegotiation') === 'direct';
  const unknown = [...parameters.keys()].find(
    (name) => name.startsWith('ssl') && !SSL_PARAMETERS.includes(name),
  );
  if (unknown !== undefined)
    return `without ${unknown}; of TLS it has ${SSL_PARAMETERS.join(', ')}`;
  if (mode !== null && !SSL_MODES.includes(mode))
    return `a URL whose sslmode is one of ${SSL_MODES.join(', ')}`;
  if (parameters.get('sslrootcert') === 'system' && mode !== 'verify-full')
    return 'a URL with sslmode=verify-full, since sslrootcert=system trusts any certificate authority';
  if (isDirect && !INSISTING_MODES.includes(mode ?? ''))
    return `a URL with an sslmode of ${INSISTING_MODES.join(', ')}, since it has sslnegotiation=direct`;
  const first = SSL_PARAMETERS.find((name) => name !== 'sslmode' && parameters.has(name));
  if (mode === null && first !== undefined)
    return `a URL with an sslmode, such as verify-full, since it has ${first}`;
  return undefined;
}

const SSL_PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'sslnegotiation',
];

/** Replaces the passwords in a URL by asterisks. */
export function maskUrl(text: string): string {
  const url = new URL(text);
  if (url.password) url.password = '****';
  for (const name of new Set(url.searchParams.keys()))
    if (/pass|secret|token/i.test(name)) url.searchParams.set(name, '****');
  return url.toString();
}
