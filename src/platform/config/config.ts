import { join, resolve } from 'node:path';
import { createSettingReader, type Environment } from './reader.ts';
import { maskUrl, parseDatabaseUrl, parseServerUrl } from './server-url.ts';
import {
  createConfigError,
  parseAddress,
  parseBaseUrl,
  parseEnum,
  parseInteger,
  parseNetworks,
  parseOrigins,
  parseFlag,
  parseSchedule,
  parseSecretKey,
  parseShare,
} from './values.ts';

const TRACES_FILES = [
  'OTEL_EXPORTER_OTLP_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_CLIENT_KEY',
];
const MIB = 1024 * 1024;
/** Seconds before each attempt: 0, then 5 s, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. */
const WEBHOOK_SCHEDULE = '0,5,300,1800,7200,18000,36000,50400,72000,86400';
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The effective settings. `readConfig` reads them once at the start and freezes them; functions get them as arguments. */
export interface Config {
  /** The URL of an external PostgreSQL, or null for the embedded one. */
  readonly databaseUrl: string | null;
  /** The folder of the embedded PostgreSQL, an absolute path. */
  readonly dataDir: string;
  /** Whether OFFPLAN_DATA_DIR is not set. */
  readonly isDefaultDataDir: boolean;
  /** The folder of the pictures that the service stores, an absolute path. */
  readonly mediaDir: string;
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
  /**
   * The URL of the OpenTelemetry collector, or null when no traces are sent. The exporter reads the other OTEL_EXPORTER_OTLP_…
   * settings.
   */
  readonly tracesEndpoint: string | null;
  /** The settings of the exporter that name a file, and these files. */
  readonly tracesFiles: readonly { name: string; file: string }[];
  /** The share of traces that the service sends, among the traces that it starts: from 0 to 1. */
  readonly tracesShare: number;
  /** The exporter collects spans for this long before it sends them. */
  readonly tracesDelayMs: number;
  /** The most reads, imports, writes and exports of one API key or person in a minute; null for no limit. */
  readonly readsPerMinute: number | null;
  readonly importsPerMinute: number | null;
  readonly writesPerMinute: number | null;
  readonly exportsPerMinute: number | null;
  /** The Redis in which all processes count rate limits together, or null when each process counts its own requests. */
  readonly redisUrl: string | null;
  /** Addresses and networks of the proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** The number of processes that serve requests. */
  readonly workerCount: number;
  /** The first process replaces a worker that has not answered its pings for this time. */
  readonly workerTimeoutMs: number;
  /** How long a lease on a job lasts. When its process does not renew it in time, another process takes the job over. */
  readonly jobLeaseMs: number;
  /** The sweep deletes an import from the import log after this many days. */
  readonly importLogDays: number;
  /** The sweep deletes an event after this many days. */
  readonly eventDays: number;
  /** The sweep deletes a contact file that is not imported after this many days. */
  readonly contactFileDays: number;
  /** The sweep deletes a picture that no row has referred to for this many days since its upload. */
  readonly unusedPictureDays: number;
  /** How many bytes of refused imports each account keeps in its import log. */
  readonly importLogRefusedBytes: number;
  /** How long the service waits before each attempt to deliver an event to a webhook; the first is 0. */
  readonly webhookScheduleMs: readonly number[];
  /** Whether webhooks may use plain HTTP, and addresses that are not public. */
  readonly webhookAllowPrivate: boolean;
  /** The sweep deletes the record of a webhook's delivery after this many days. */
  readonly webhookDeliveryDays: number;
  /** The key that secrets are encrypted with; null when it is not set. The embedded PostgreSQL has one in its data folder. */
  readonly secretKey: Buffer | null;
}

interface Flags {
  port?: string | undefined;
  host?: string | undefined;
}

/**
 * Reads the settings from the flags of the command line, then from the environment. Throws a ConfigError that names all
 * settings that cannot be used.
 */
export function readConfig(flags: Flags = {}, environment: Environment = process.env): Config {
  const reader = createSettingReader(environment);
  const { find, read, readOptional } = reader;
  const toInteger = (min: number, max: number) => (name: string, text: string) =>
    parseInteger(name, text, min, max);
  const toRedisUrl = (name: string, text: string) =>
    parseServerUrl(name, text, /^rediss?:\/\//, 'redis://user:password@host:6379/0');
  const [sslmode, sslrootcert] = [find('PGSSLMODE'), find('PGSSLROOTCERT')];

  const port = read('PORT', '3000', toInteger(0, 65_535), ['--port', flags.port]);
  const host = read('HOST', '127.0.0.1', parseAddress, ['--host', flags.host]);
  const publicUrl = read('PUBLIC_URL', buildLocalUrl({ host, port }), (name, text) =>
    parseBaseUrl(name, text, 'https://crm.example.com'),
  );
  const dataDir = resolve(find('OFFPLAN_DATA_DIR') ?? '.offplan');
  const config = Object.freeze({
    databaseUrl: readOptional('DATABASE_URL', (name, text) =>
      parseDatabaseUrl(name, text, { sslmode, sslrootcert }),
    ),
    dataDir,
    isDefaultDataDir: find('OFFPLAN_DATA_DIR') === undefined,
    mediaDir: resolve(find('OFFPLAN_MEDIA_DIR') ?? join(dataDir, 'media')),
    port,
    host,
    publicUrl,
    mediaBaseUrl: read('MEDIA_BASE_URL', `${publicUrl}/media`, (name, text) =>
      parseBaseUrl(name, text, 'https://cdn.example.com/media'),
    ),
    logLevel: read('LOG_LEVEL', 'info', (name, text) => parseEnum(name, text, LOG_LEVELS)),
    corsOrigins: readOptional('OFFPLAN_CORS_ORIGINS', parseOrigins) ?? Object.freeze([]),
    metricsPort: readOptional('OFFPLAN_METRICS_PORT', toInteger(1, 65_535)),
    metricsHost: read('OFFPLAN_METRICS_HOST', '127.0.0.1', parseAddress),
    tracesEndpoint: readOptional('OTEL_EXPORTER_OTLP_ENDPOINT', (name, text) =>
      parseBaseUrl(name, text, 'http://collector:4318'),
    ),
    tracesFiles: Object.freeze(
      TRACES_FILES.flatMap((name) => {
        const file = find(name);
        return file === undefined ? [] : [{ name, file }];
      }),
    ),
    tracesDelayMs: read('OTEL_BSP_SCHEDULE_DELAY', '5000', toInteger(1, 3_600_000)),
    tracesShare: read('OTEL_TRACES_SAMPLER_ARG', '1', parseShare),
    readsPerMinute: readOptional('OFFPLAN_RATE_LIMIT_READS', toInteger(1, 1e9)),
    importsPerMinute: readOptional('OFFPLAN_RATE_LIMIT_IMPORTS', toInteger(1, 1e9)),
    writesPerMinute: readOptional('OFFPLAN_RATE_LIMIT_WRITES', toInteger(1, 1e9)),
    exportsPerMinute: readOptional('OFFPLAN_RATE_LIMIT_EXPORTS', toInteger(1, 1e9)),
    redisUrl: readOptional('REDIS_URL', toRedisUrl),
    trustedProxies: readOptional('TRUST_PROXY', parseNetworks) ?? Object.freeze([]),
    workerCount: read('OFFPLAN_WORKERS', '1', toInteger(1, 64)),
    workerTimeoutMs: read('OFFPLAN_WORKER_TIMEOUT', '10', toInteger(1, 3_600)) * 1_000,
    jobLeaseMs: read('OFFPLAN_JOB_LEASE', '15', toInteger(1, 3_600)) * 1_000,
    importLogDays: read('OFFPLAN_IMPORT_LOG_DAYS', '90', toInteger(1, 36_500)),
    eventDays: read('OFFPLAN_EVENT_DAYS', '30', toInteger(1, 36_500)),
    contactFileDays: read('OFFPLAN_CONTACT_FILE_DAYS', '7', toInteger(1, 36_500)),
    unusedPictureDays: read('OFFPLAN_UNUSED_PICTURE_DAYS', '30', toInteger(1, 36_500)),
    importLogRefusedBytes:
      read('OFFPLAN_IMPORT_LOG_REFUSED_MIB', '256', toInteger(0, 1_000_000)) * MIB,
    webhookScheduleMs: Object.freeze(
      read('OFFPLAN_WEBHOOK_SCHEDULE', WEBHOOK_SCHEDULE, parseSchedule).map((each) => each * 1_000),
    ),
    webhookAllowPrivate: read('OFFPLAN_WEBHOOK_ALLOW_PRIVATE', 'false', parseFlag),
    webhookDeliveryDays: read('OFFPLAN_WEBHOOK_DELIVERY_DAYS', '30', toInteger(1, 36_500)),
    secretKey: readOptional('OFFPLAN_SECRET_KEY', parseSecretKey),
  });
  if (config.metricsPort === port && config.metricsHost === host)
    reader.addFault(
      createConfigError(
        'OFFPLAN_METRICS_PORT',
        `another port than PORT (or --port): both are ${port}`,
      ),
    );
  reader.throwFaults();
  return config;
}

/** Formats the settings as lines of the environment, with secrets masked. */
export function printConfig(config: Config): string {
  const entries = Object.entries(listSettings(config));
  return entries.map(([name, value]) => `${name}=${value}\n`).join('');
}

/** Lists all settings by their names, with secrets masked. */
export function listSettings(config: Config): Record<string, string | number> {
  const NONE = '(none)';
  // The embedded PostgreSQL has a file of the key.
  const noSecretKey = config.databaseUrl === null ? '(secret.key in the data folder)' : NONE;
  return {
    DATABASE_URL: config.databaseUrl ? maskUrl(config.databaseUrl) : '(embedded PostgreSQL)',
    OFFPLAN_DATA_DIR: config.dataDir,
    OFFPLAN_MEDIA_DIR: config.mediaDir,
    PORT: config.port,
    HOST: config.host,
    PUBLIC_URL: config.publicUrl,
    MEDIA_BASE_URL: config.mediaBaseUrl,
    LOG_LEVEL: config.logLevel,
    OFFPLAN_CORS_ORIGINS: config.corsOrigins.join(',') || NONE,
    OFFPLAN_METRICS_PORT: config.metricsPort ?? NONE,
    OFFPLAN_METRICS_HOST: config.metricsHost,
    OTEL_EXPORTER_OTLP_ENDPOINT: config.tracesEndpoint ?? NONE,
    ...Object.fromEntries(
      TRACES_FILES.map((name) => [
        name,
        config.tracesFiles.find((each) => each.name === name)?.file ?? NONE,
      ]),
    ),
    OTEL_TRACES_SAMPLER_ARG: config.tracesShare,
    OTEL_BSP_SCHEDULE_DELAY: config.tracesDelayMs,
    OFFPLAN_RATE_LIMIT_READS: config.readsPerMinute ?? NONE,
    OFFPLAN_RATE_LIMIT_IMPORTS: config.importsPerMinute ?? NONE,
    OFFPLAN_RATE_LIMIT_WRITES: config.writesPerMinute ?? NONE,
    OFFPLAN_RATE_LIMIT_EXPORTS: config.exportsPerMinute ?? NONE,
    REDIS_URL: config.redisUrl ? maskUrl(config.redisUrl) : NONE,
    TRUST_PROXY: config.trustedProxies.join(',') || NONE,
    OFFPLAN_WORKERS: config.workerCount,
    OFFPLAN_WORKER_TIMEOUT: config.workerTimeoutMs / 1_000,
    OFFPLAN_JOB_LEASE: config.jobLeaseMs / 1_000,
    OFFPLAN_IMPORT_LOG_DAYS: config.importLogDays,
    OFFPLAN_EVENT_DAYS: config.eventDays,
    OFFPLAN_CONTACT_FILE_DAYS: config.contactFileDays,
    OFFPLAN_UNUSED_PICTURE_DAYS: config.unusedPictureDays,
    OFFPLAN_IMPORT_LOG_REFUSED_MIB: config.importLogRefusedBytes / MIB,
    OFFPLAN_WEBHOOK_SCHEDULE: config.webhookScheduleMs.map((each) => each / 1_000).join(','),
    OFFPLAN_WEBHOOK_ALLOW_PRIVATE: String(config.webhookAllowPrivate),
    OFFPLAN_WEBHOOK_DELIVERY_DAYS: config.webhookDeliveryDays,
    OFFPLAN_SECRET_KEY: config.secretKey === null ? noSecretKey : '***',
  };
}

/** Builds the URL under which this machine reaches the service, without a slash at the end. */
export function buildLocalUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const isEveryAddress = host === '0.0.0.0' || host === '::';
  const hostName = isEveryAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${hostName}:${port}`;
}
