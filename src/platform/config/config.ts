import { resolve } from 'node:path';
import {
  maskUrl,
  parseAddress,
  parseBaseUrl,
  parseEnum,
  parseInteger,
  parseNetworks,
  parseOrigins,
  parseServerUrl,
  parseShare,
} from './values.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The effective settings. `readConfig` makes them once at start, frozen; functions get them as arguments. */
export interface Config {
  /** The URL of an external PostgreSQL, or null for the embedded one. */
  readonly databaseUrl: string | null;
  /** The folder of the embedded PostgreSQL, an absolute path. */
  readonly dataDir: string;
  readonly dataDirIsDefault: boolean;
  /** 0 lets the system choose a free port. */
  readonly port: number;
  readonly host: string;
  /** The URL under which clients reach the service, without a slash at the end. */
  readonly publicUrl: string;
  /** The URL that image keys are appended to, without a slash at the end. */
  readonly mediaBaseUrl: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Pages of these origins may read in a browser. */
  readonly corsOrigins: readonly string[];
  /** The port of the metrics for Prometheus, or null for none. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  /** The OpenTelemetry collector, or null for none. The exporter itself reads the other OTEL_EXPORTER_OTLP_… settings. */
  readonly tracesEndpoint: string | null;
  /** The share of the traces that start in this service and are sent, from 0 to 1. */
  readonly tracesShare: number;
  /** Spans are collected this long before they are sent. */
  readonly tracesDelayMs: number;
  /** The reads, and the imports, that one API key may make in a minute, or null for no limit. */
  readonly rateLimitReads: number | null;
  readonly rateLimitImports: number | null;
  /** The Redis in which processes count rate limits together, or null when each counts its own. */
  readonly redisUrl: string | null;
  /** Addresses and networks of the proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** The number of processes that serve requests. */
  readonly workers: number;
  /** The import log forgets an import after this many days. */
  readonly importLogDays: number;
}

type Environment = Record<string, string | undefined>;

interface Flags {
  port?: string | undefined;
  host?: string | undefined;
}

/** Reads the settings from the environment. The flags of the command line win over it. */
export function readConfig(flags: Flags = {}, environment: Environment = process.env): Config {
  const setting = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const integer = (name: string, fallback: string, min: number, max: number): number =>
    parseInteger(name, setting(name) ?? fallback, min, max);
  function optional<T>(name: string, parse: (name: string, text: string) => T): T | null {
    const text = setting(name);
    return text === undefined ? null : parse(name, text);
  }
  const limit = (name: string): number | null =>
    optional(name, (_name, text) => parseInteger(name, text, 1, 1e9));

  const port =
    flags.port === undefined
      ? integer('PORT', '3000', 0, 65_535)
      : parseInteger('--port', flags.port, 0, 65_535);
  const host =
    flags.host === undefined
      ? parseAddress('HOST', setting('HOST') ?? '127.0.0.1')
      : parseAddress('--host', flags.host);
  const publicUrl = parseBaseUrl(
    'PUBLIC_URL',
    setting('PUBLIC_URL') ?? localUrl({ host, port }),
    'https://crm.example.com',
  );
  const dataDir = setting('OFFPLAN_DATA_DIR');
  return Object.freeze({
    databaseUrl: optional('DATABASE_URL', (name, text) =>
      parseServerUrl(name, text, /^postgres(ql)?:\/\//, 'postgresql://user@host:5432/offplan'),
    ),
    dataDir: resolve(dataDir ?? '.offplan'),
    dataDirIsDefault: dataDir === undefined,
    port,
    host,
    publicUrl,
    mediaBaseUrl: parseBaseUrl(
      'MEDIA_BASE_URL',
      setting('MEDIA_BASE_URL') ?? `${publicUrl}/media`,
      'https://cdn.example.com/media',
    ),
    logLevel: parseEnum('LOG_LEVEL', setting('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    corsOrigins: optional('OFFPLAN_CORS_ORIGINS', parseOrigins) ?? Object.freeze([]),
    metricsPort: optional('OFFPLAN_METRICS_PORT', (name, text) =>
      parseInteger(name, text, 1, 65_535),
    ),
    metricsHost: optional('OFFPLAN_METRICS_HOST', parseAddress) ?? '127.0.0.1',
    tracesEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', (name, text) =>
      parseBaseUrl(name, text, 'http://collector:4318'),
    ),
    tracesDelayMs: integer('OTEL_BSP_SCHEDULE_DELAY', '5000', 1, 3_600_000),
    tracesShare: optional('OTEL_TRACES_SAMPLER_ARG', parseShare) ?? 1,
    rateLimitReads: limit('OFFPLAN_RATE_LIMIT_READS'),
    rateLimitImports: limit('OFFPLAN_RATE_LIMIT_IMPORTS'),
    redisUrl: optional('REDIS_URL', (name, text) =>
      parseServerUrl(name, text, /^rediss?:\/\//, 'redis://user:password@host:6379/0'),
    ),
    trustedProxies: optional('TRUST_PROXY', parseNetworks) ?? Object.freeze([]),
    workers: integer('OFFPLAN_WORKERS', '1', 1, 64),
    importLogDays: integer('OFFPLAN_IMPORT_LOG_DAYS', '90', 1, 36_500),
  });
}

/** Prints the settings as lines of the environment, secrets masked. */
export function printConfig(config: Config): string {
  const NONE = '(none)';
  const lines = {
    DATABASE_URL: config.databaseUrl ? maskUrl(config.databaseUrl) : '(embedded PostgreSQL)',
    OFFPLAN_DATA_DIR: config.dataDir,
    PORT: config.port,
    HOST: config.host,
    PUBLIC_URL: config.publicUrl,
    MEDIA_BASE_URL: config.mediaBaseUrl,
    LOG_LEVEL: config.logLevel,
    OFFPLAN_CORS_ORIGINS: config.corsOrigins.join(',') || NONE,
    OFFPLAN_METRICS_PORT: config.metricsPort ?? NONE,
    OFFPLAN_METRICS_HOST: config.metricsHost,
    OTEL_EXPORTER_OTLP_ENDPOINT: config.tracesEndpoint ?? NONE,
    OTEL_TRACES_SAMPLER_ARG: config.tracesShare,
    OTEL_BSP_SCHEDULE_DELAY: config.tracesDelayMs,
    OFFPLAN_RATE_LIMIT_READS: config.rateLimitReads ?? NONE,
    OFFPLAN_RATE_LIMIT_IMPORTS: config.rateLimitImports ?? NONE,
    REDIS_URL: config.redisUrl ? maskUrl(config.redisUrl) : NONE,
    TRUST_PROXY: config.trustedProxies.join(',') || NONE,
    OFFPLAN_WORKERS: config.workers,
    OFFPLAN_IMPORT_LOG_DAYS: config.importLogDays,
  };
  const entries = Object.entries(lines);
  return entries.map(([name, value]) => `${name}=${value}\n`).join('');
}

/** The URL under which this machine reaches the service, without a slash at the end. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const isEveryAddress = host === '0.0.0.0' || host === '::';
  const name = isEveryAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
