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

/** The effective settings. `readConfig` reads them once at the start and freezes them; functions get them as arguments. */
export interface Config {
  /** The URL of an external PostgreSQL, or null for the embedded one. */
  readonly databaseUrl: string | null;
  /** The folder of the embedded PostgreSQL, an absolute path. */
  readonly dataDir: string;
  /** Whether OFFPLAN_DATA_DIR is not set. */
  readonly isDefaultDataDir: boolean;
  /** 0 lets the system choose a free port. */
  readonly port: number;
  readonly host: string;
  /** The URL under which clients reach the service, without a slash at the end. */
  readonly publicUrl: string;
  /** The URL that image keys are appended to, without a slash at the end. */
  readonly mediaBaseUrl: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** The origins whose web pages may call the read endpoints from a browser. */
  readonly corsOrigins: readonly string[];
  /** The port on which Prometheus scrapes the metrics, or null when no metrics are served. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  /** The URL of the OpenTelemetry collector, or null when no traces are sent. The exporter reads the other OTEL_EXPORTER_OTLP_… settings. */
  readonly tracesEndpoint: string | null;
  /** The share of traces that the service sends, among the traces that it starts: from 0 to 1. */
  readonly tracesShare: number;
  /** The exporter collects spans for this long before it sends them. */
  readonly tracesDelayMs: number;
  /** How many reads, and how many imports, one API key may make in a minute; null for no limit. */
  readonly readsPerMinute: number | null;
  readonly importsPerMinute: number | null;
  /** The Redis in which all processes count rate limits together, or null when each process counts its own requests. */
  readonly redisUrl: string | null;
  /** Addresses and networks of the proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** The number of processes that serve requests. */
  readonly workerCount: number;
  /** The sweep deletes an import from the import log after this many days. */
  readonly importLogDays: number;
}

type Environment = Record<string, string | undefined>;

interface Flags {
  port?: string | undefined;
  host?: string | undefined;
}

/** Reads the settings from the flags of the command line, then from the environment. Throws a ConfigError for a wrong one. */
export function readConfig(flags: Flags = {}, environment: Environment = process.env): Config {
  const readSetting = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const readInteger = (name: string, fallback: string, min: number, max: number): number =>
    parseInteger(name, readSetting(name) ?? fallback, min, max);
  function readOptional<T>(name: string, parse: (name: string, text: string) => T): T | null {
    const text = readSetting(name);
    return text === undefined ? null : parse(name, text);
  }
  const readRateLimit = (name: string): number | null =>
    readOptional(name, (_name, text) => parseInteger(name, text, 1, 1e9));

  const port =
    flags.port === undefined
      ? readInteger('PORT', '3000', 0, 65_535)
      : parseInteger('--port', flags.port, 0, 65_535);
  const host =
    flags.host === undefined
      ? parseAddress('HOST', readSetting('HOST') ?? '127.0.0.1')
      : parseAddress('--host', flags.host);
  const publicUrl = parseBaseUrl(
    'PUBLIC_URL',
    readSetting('PUBLIC_URL') ?? buildLocalUrl({ host, port }),
    'https://crm.example.com',
  );
  const dataDirSetting = readSetting('OFFPLAN_DATA_DIR');
  return Object.freeze({
    databaseUrl: readOptional('DATABASE_URL', (name, text) =>
      parseServerUrl(name, text, /^postgres(ql)?:\/\//, 'postgresql://user@host:5432/offplan'),
    ),
    dataDir: resolve(dataDirSetting ?? '.offplan'),
    isDefaultDataDir: dataDirSetting === undefined,
    port,
    host,
    publicUrl,
    mediaBaseUrl: parseBaseUrl(
      'MEDIA_BASE_URL',
      readSetting('MEDIA_BASE_URL') ?? `${publicUrl}/media`,
      'https://cdn.example.com/media',
    ),
    logLevel: parseEnum('LOG_LEVEL', readSetting('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    corsOrigins: readOptional('OFFPLAN_CORS_ORIGINS', parseOrigins) ?? Object.freeze([]),
    metricsPort: readOptional('OFFPLAN_METRICS_PORT', (name, text) =>
      parseInteger(name, text, 1, 65_535),
    ),
    metricsHost: readOptional('OFFPLAN_METRICS_HOST', parseAddress) ?? '127.0.0.1',
    tracesEndpoint: readOptional('OTEL_EXPORTER_OTLP_ENDPOINT', (name, text) =>
      parseBaseUrl(name, text, 'http://collector:4318'),
    ),
    tracesDelayMs: readInteger('OTEL_BSP_SCHEDULE_DELAY', '5000', 1, 3_600_000),
    tracesShare: readOptional('OTEL_TRACES_SAMPLER_ARG', parseShare) ?? 1,
    readsPerMinute: readRateLimit('OFFPLAN_RATE_LIMIT_READS'),
    importsPerMinute: readRateLimit('OFFPLAN_RATE_LIMIT_IMPORTS'),
    redisUrl: readOptional('REDIS_URL', (name, text) =>
      parseServerUrl(name, text, /^rediss?:\/\//, 'redis://user:password@host:6379/0'),
    ),
    trustedProxies: readOptional('TRUST_PROXY', parseNetworks) ?? Object.freeze([]),
    workerCount: readInteger('OFFPLAN_WORKERS', '1', 1, 64),
    importLogDays: readInteger('OFFPLAN_IMPORT_LOG_DAYS', '90', 1, 36_500),
  });
}

/** Formats the settings as lines of the environment, with secrets masked. */
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
    OFFPLAN_RATE_LIMIT_READS: config.readsPerMinute ?? NONE,
    OFFPLAN_RATE_LIMIT_IMPORTS: config.importsPerMinute ?? NONE,
    REDIS_URL: config.redisUrl ? maskUrl(config.redisUrl) : NONE,
    TRUST_PROXY: config.trustedProxies.join(',') || NONE,
    OFFPLAN_WORKERS: config.workerCount,
    OFFPLAN_IMPORT_LOG_DAYS: config.importLogDays,
  };
  const entries = Object.entries(lines);
  return entries.map(([name, value]) => `${name}=${value}\n`).join('');
}

/** Builds the URL under which this machine reaches the service, without a slash at the end. */
export function buildLocalUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const isEveryAddress = host === '0.0.0.0' || host === '::';
  const hostName = isEveryAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${hostName}:${port}`;
}
