import { isIP } from 'node:net';
import { resolve } from 'node:path';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** The effective settings. Made once at start, frozen, handed on as an argument. */
export interface Config {
  /** An external PostgreSQL, or null for the embedded one. */
  readonly databaseUrl: string | null;
  /** Where the embedded PostgreSQL keeps its files, an absolute path. */
  readonly dataDir: string;
  readonly dataDirIsDefault: boolean;
  /** 0 lets the system choose a free port. */
  readonly port: number;
  readonly host: string;
  /** What clients see the service under, without a slash at the end. */
  readonly publicUrl: string;
  /** What image keys are appended to, without a slash at the end. */
  readonly mediaBaseUrl: string;
  readonly logLevel: LogLevel;
  /** The origins whose pages may read in a browser. */
  readonly corsOrigins: readonly string[];
  /** Where Prometheus is answered; off when the port is null. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  /** Where OpenTelemetry traces are sent, or null; the exporter reads the rest of OTEL_EXPORTER_OTLP_…. */
  readonly tracesEndpoint: string | null;
  /** Which share of the traces that begin here is sent. */
  readonly tracesShare: number;
  /** For how long spans are gathered before they are sent. */
  readonly tracesDelayMs: number;
  /** Reads, and imports, that one API key may make in a minute, or null for no limit. */
  readonly rateLimitReads: number | null;
  readonly rateLimitImports: number | null;
  /** Where processes count limits together, or null for each by itself. */
  readonly redisUrl: string | null;
  /** The proxies whose X-Forwarded-For is believed: addresses and networks. */
  readonly trustedProxies: readonly string[];
  /** How many processes serve requests. */
  readonly workers: number;
  /** After how many days the log of imports forgets one. */
  readonly importLogDays: number;
}

/** A setting that cannot be used: its message names it and says what would be right. */
export class ConfigError extends Error {}

/** The same of a flag of the command line. */
export class FlagError extends ConfigError {}

type Environment = Record<string, string | undefined>;

/** Reads the settings from the environment; `flags` are the command line's and win. */
export function readConfig(
  flags: { port?: string | undefined; host?: string | undefined } = {},
  environment: Environment = process.env,
): Config {
  const setting = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const port =
    flags.port === undefined
      ? integer('PORT', setting('PORT') ?? '3000', 0, 65_535)
      : integer('--port', flags.port, 0, 65_535);
  const host =
    flags.host === undefined
      ? address('HOST', setting('HOST') ?? '127.0.0.1')
      : address('--host', flags.host);
  const dataDir = setting('OFFPLAN_DATA_DIR');
  const publicUrl = url(
    'PUBLIC_URL',
    setting('PUBLIC_URL') ?? localUrl({ host, port }),
    'https://crm.example.com',
  );
  const tracesEndpoint = setting('OTEL_EXPORTER_OTLP_ENDPOINT');
  const metricsPort = setting('OFFPLAN_METRICS_PORT');
  const limit = (name: string): number | null => {
    const text = setting(name);
    return text === undefined ? null : integer(name, text, 1, 1e9);
  };
  return Object.freeze({
    databaseUrl: databaseUrl(setting('DATABASE_URL')),
    dataDir: resolve(dataDir ?? '.offplan'),
    dataDirIsDefault: dataDir === undefined,
    port,
    host,
    publicUrl,
    mediaBaseUrl: url(
      'MEDIA_BASE_URL',
      setting('MEDIA_BASE_URL') ?? `${publicUrl}/media`,
      'https://cdn.example.com/media',
    ),
    logLevel: oneOf('LOG_LEVEL', setting('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    corsOrigins: origins('OFFPLAN_CORS_ORIGINS', setting('OFFPLAN_CORS_ORIGINS') ?? ''),
    metricsPort:
      metricsPort === undefined ? null : integer('OFFPLAN_METRICS_PORT', metricsPort, 1, 65_535),
    metricsHost: address('OFFPLAN_METRICS_HOST', setting('OFFPLAN_METRICS_HOST') ?? '127.0.0.1'),
    tracesEndpoint:
      tracesEndpoint === undefined
        ? null
        : url('OTEL_EXPORTER_OTLP_ENDPOINT', tracesEndpoint, 'http://collector:4318'),
    tracesDelayMs: integer(
      'OTEL_BSP_SCHEDULE_DELAY',
      setting('OTEL_BSP_SCHEDULE_DELAY') ?? '5000',
      1,
      3_600_000,
    ),
    tracesShare: share('OTEL_TRACES_SAMPLER_ARG', setting('OTEL_TRACES_SAMPLER_ARG') ?? '1'),
    rateLimitReads: limit('OFFPLAN_RATE_LIMIT_READS'),
    rateLimitImports: limit('OFFPLAN_RATE_LIMIT_IMPORTS'),
    redisUrl: redisUrl(setting('REDIS_URL')),
    trustedProxies: networks('TRUST_PROXY', setting('TRUST_PROXY')),
    workers: integer('OFFPLAN_WORKERS', setting('OFFPLAN_WORKERS') ?? '1', 1, 64),
    importLogDays: integer(
      'OFFPLAN_IMPORT_LOG_DAYS',
      setting('OFFPLAN_IMPORT_LOG_DAYS') ?? '90',
      1,
      36_500,
    ),
  });
}

/** The settings as lines of the environment, secrets masked. */
export function printConfig(config: Config): string {
  const lines = {
    DATABASE_URL:
      config.databaseUrl === null ? '(embedded PostgreSQL)' : masked(config.databaseUrl),
    OFFPLAN_DATA_DIR: config.dataDir,
    PORT: config.port,
    HOST: config.host,
    PUBLIC_URL: config.publicUrl,
    MEDIA_BASE_URL: config.mediaBaseUrl,
    LOG_LEVEL: config.logLevel,
    OFFPLAN_CORS_ORIGINS: config.corsOrigins.join(',') || '(none)',
    OFFPLAN_METRICS_PORT: config.metricsPort ?? '(none)',
    OFFPLAN_METRICS_HOST: config.metricsHost,
    OTEL_EXPORTER_OTLP_ENDPOINT: config.tracesEndpoint ?? '(none)',
    OTEL_TRACES_SAMPLER_ARG: config.tracesShare,
    OTEL_BSP_SCHEDULE_DELAY: config.tracesDelayMs,
    OFFPLAN_RATE_LIMIT_READS: config.rateLimitReads ?? '(none)',
    OFFPLAN_RATE_LIMIT_IMPORTS: config.rateLimitImports ?? '(none)',
    REDIS_URL: config.redisUrl === null ? '(none)' : masked(config.redisUrl),
    TRUST_PROXY: config.trustedProxies.join(',') || '(none)',
    OFFPLAN_WORKERS: config.workers,
    OFFPLAN_IMPORT_LOG_DAYS: config.importLogDays,
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** What this machine sees the service under, without a slash at the end. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function integer(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw unusable(name, `a whole number from ${least} to ${most}, not "${text}"`);
}

function share(name: string, text: string): number {
  const value = /^\d(\.\d{1,9})?$/.test(text) ? Number(text) : NaN;
  if (value <= 1) return value;
  throw unusable(name, `a share from 0 to 1, not "${text}"`);
}

function address(name: string, text: string): string {
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text);
  if (isIP(text) > 0 || isName) return text;
  throw unusable(name, `an IP address or a host name, not "${text}"`);
}

function unusable(name: string, wanted: string): ConfigError {
  const message = `${name} must be ${wanted}.`;
  return name.startsWith('--') ? new FlagError(message) : new ConfigError(message);
}

function oneOf<T extends string>(name: string, text: string, values: readonly T[]): T {
  const value = values.find((each) => each === text);
  if (value !== undefined) return value;
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}".`);
}

function url(name: string, text: string, example: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  const usable = parsed && /^https?:$/.test(parsed.protocol) && !parsed.search && !parsed.hash;
  if (usable && !parsed.username && !parsed.password) return text.replace(/\/+$/, '');
  throw new ConfigError(`${name} must be an http or https URL such as ${example}.`);
}

// An origin is compared as a browser writes it: without a path, a slash at the end or the port of its scheme.
function origins(name: string, text: string): readonly string[] {
  const all = text.split(/[\s,]+/).filter((each) => each !== '');
  const isOrigin = (each: string): boolean =>
    /^https?:/.test(each) && URL.canParse(each) && new URL(each).origin === each;
  if (all.every(isOrigin)) return Object.freeze(all);
  throw new ConfigError(
    `${name} must be origins such as https://www.example.com, with commas between them.`,
  );
}

// The message leaves the value out: a mistyped URL can hold a password.
function databaseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new ConfigError('DATABASE_URL must be a URL such as postgresql://user@host:5432/offplan.');
}

function redisUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^rediss?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new ConfigError('REDIS_URL must be a URL such as redis://user:password@host:6379/0.');
}

function networks(name: string, text: string | undefined): string[] {
  const all = text?.split(',').map((each) => each.trim()) ?? [];
  if (all.every(isNetwork)) return all;
  throw new ConfigError(
    `${name} must be IP addresses or networks such as 10.0.0.0/8, separated by commas.`,
  );
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (most === undefined || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
}

const SECRET_PARAMETERS = ['password', 'sslpassword', 'passfile'];

function masked(text: string): string {
  const parsed = new URL(text);
  if (parsed.password) parsed.password = '****';
  for (const name of SECRET_PARAMETERS)
    if (parsed.searchParams.has(name)) parsed.searchParams.set(name, '****');
  return parsed.toString();
}
