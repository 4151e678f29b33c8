import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { listSettings, printConfig, readConfig } from './config.ts';
import { describeUnknownSettings } from './unknown-settings.ts';
import { ConfigError } from './values.ts';

const refusal = (environment: Record<string, string>, flags = {}): string => {
  try {
    readConfig(flags, environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  return 'not refused';
};

test('with nothing set, everything has its documented default', () => {
  assert.deepEqual(readConfig({}, {}), {
    databaseUrl: null,
    dataDir: resolve('.offplan'),
    isDefaultDataDir: true,
    mediaDir: resolve('.offplan/media'),
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:3000',
    mediaBaseUrl: 'http://127.0.0.1:3000/media',
    logLevel: 'info',
    corsOrigins: [],
    metricsPort: null,
    metricsHost: '127.0.0.1',
    tracesEndpoint: null,
    tracesFiles: [],
    tracesShare: 1,
    tracesDelayMs: 5000,
    readsPerMinute: null,
    importsPerMinute: null,
    writesPerMinute: null,
    exportsPerMinute: null,
    redisUrl: null,
    trustedProxies: [],
    workerCount: 1,
    workerTimeoutMs: 10_000,
    importLogDays: 90,
    jobLeaseMs: 15_000,
    eventDays: 30,
    contactFileDays: 7,
    unusedPictureDays: 30,
    importLogRefusedBytes: 268_435_456,
    secretKey: null,
    webhookScheduleMs: [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
      (seconds) => seconds * 1_000,
    ),
    webhookAllowPrivate: false,
    webhookDeliveryDays: 30,
  });
});

test('each setting is read from the environment, and spaces around it do not count', () => {
  const config = readConfig(
    {},
    {
      DATABASE_URL: ' postgresql://crm@db.internal/offplan ',
      OFFPLAN_DATA_DIR: '/srv/offplan',
      OFFPLAN_MEDIA_DIR: '/srv/pictures',
      PORT: '8080',
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://crm.example.com/',
      MEDIA_BASE_URL: 'https://cdn.example.com/media/offplan//',
      LOG_LEVEL: 'warn',
      OFFPLAN_CORS_ORIGINS: 'https://www.example.com, http://localhost:5173',
      OFFPLAN_METRICS_PORT: '9464',
      OFFPLAN_METRICS_HOST: '0.0.0.0',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/srv/collector.crt',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OFFPLAN_RATE_LIMIT_READS: '600',
      OFFPLAN_RATE_LIMIT_IMPORTS: '60',
      OFFPLAN_RATE_LIMIT_WRITES: '30',
      OFFPLAN_RATE_LIMIT_EXPORTS: '6',
      REDIS_URL: 'rediss://offplan@cache.internal:6380/1',
      TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,2001:db8::/32',
      OFFPLAN_WORKERS: '64',
      OFFPLAN_WORKER_TIMEOUT: '60',
      OFFPLAN_IMPORT_LOG_DAYS: ' 36500 ',
      OFFPLAN_IMPORT_LOG_REFUSED_MIB: '0',
      OFFPLAN_JOB_LEASE: '5',
      OFFPLAN_EVENT_DAYS: '365',
      OFFPLAN_CONTACT_FILE_DAYS: '2',
      OFFPLAN_UNUSED_PICTURE_DAYS: '60',
      OFFPLAN_SECRET_KEY: `${'A'.repeat(43)}=`,
      OFFPLAN_WEBHOOK_SCHEDULE: '0, 60',
      OFFPLAN_WEBHOOK_ALLOW_PRIVATE: 'true',
      OFFPLAN_WEBHOOK_DELIVERY_DAYS: '7',
    },
  );
  assert.deepEqual(config, {
    databaseUrl: 'postgresql://crm@db.internal/offplan',
    dataDir: '/srv/offplan',
    isDefaultDataDir: false,
    mediaDir: '/srv/pictures',
    port: 8080,
    host: '0.0.0.0',
    publicUrl: 'https://crm.example.com',
    mediaBaseUrl: 'https://cdn.example.com/media/offplan',
    logLevel: 'warn',
    corsOrigins: ['https://www.example.com', 'http://localhost:5173'],
    metricsPort: 9464,
    metricsHost: '0.0.0.0',
    tracesEndpoint: 'http://collector:4318',
    tracesFiles: [{ name: 'OTEL_EXPORTER_OTLP_CERTIFICATE', file: '/srv/collector.crt' }],
    tracesShare: 0.25,
    tracesDelayMs: 100,
    readsPerMinute: 600,
    importsPerMinute: 60,
    writesPerMinute: 30,
    exportsPerMinute: 6,
    redisUrl: 'rediss://offplan@cache.internal:6380/1',
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'],
    workerCount: 64,
    workerTimeoutMs: 60_000,
    importLogDays: 36_500,
    jobLeaseMs: 5_000,
    eventDays: 365,
    contactFileDays: 2,
    unusedPictureDays: 60,
    importLogRefusedBytes: 0,
    secretKey: Buffer.alloc(32),
    webhookScheduleMs: [0, 60_000],
    webhookAllowPrivate: true,
    webhookDeliveryDays: 7,
  });
});

test('an empty or blank setting counts as not set', () => {
  const names = [
    'DATABASE_URL',
    'OFFPLAN_DATA_DIR',
    'PORT',
    'HOST',
    'PUBLIC_URL',
    'LOG_LEVEL',
    'OFFPLAN_CORS_ORIGINS',
    'OFFPLAN_METRICS_PORT',
    'OFFPLAN_METRICS_HOST',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OFFPLAN_WORKERS',
    'OFFPLAN_WORKER_TIMEOUT',
    'OFFPLAN_IMPORT_LOG_DAYS',
    'OFFPLAN_IMPORT_LOG_REFUSED_MIB',
    'OFFPLAN_JOB_LEASE',
    'OFFPLAN_EVENT_DAYS',
    'OFFPLAN_CONTACT_FILE_DAYS',
    'OFFPLAN_UNUSED_PICTURE_DAYS',
    'OFFPLAN_SECRET_KEY',
    'OFFPLAN_WEBHOOK_SCHEDULE',
    'OFFPLAN_WEBHOOK_ALLOW_PRIVATE',
    'OFFPLAN_WEBHOOK_DELIVERY_DAYS',
  ];
  for (const blank of ['', ' \t'])
    assert.deepEqual(
      readConfig({}, Object.fromEntries(names.map((name) => [name, blank]))),
      readConfig({}, {}),
    );
});

test('the flags of the command line win over the environment', () => {
  const config = readConfig({ port: '0', host: '::1' }, { PORT: '8080', HOST: '0.0.0.0' });
  assert.equal(config.port, 0);
  assert.equal(config.host, '::1');
});

test('the default public URL is the address that the service listens on, as a client writes it', () => {
  const publicUrl = (host: string): string => readConfig({ host, port: '4000' }, {}).publicUrl;
  assert.equal(publicUrl('0.0.0.0'), 'http://localhost:4000');
  assert.equal(publicUrl('::'), 'http://localhost:4000');
  assert.equal(publicUrl('::1'), 'http://[::1]:4000');
  assert.equal(publicUrl('crm.local'), 'http://crm.local:4000');
});

test('the default media URL is below the public URL', () => {
  const { mediaBaseUrl } = readConfig({}, { PUBLIC_URL: 'https://example.com/crm/' });
  assert.equal(mediaBaseUrl, 'https://example.com/crm/media');
});

test('a setting that cannot be used is refused by its name', () => {
  const bad: [string, string[]][] = [
    ['PORT', ['x', '-1', '65536', '80.5', '1e3', '0x50', '99999999999']],
    ['HOST', ['999.1.1.1', 'a b', '-x']],
    ['LOG_LEVEL', ['verbose', 'INFO']],
    ['OFFPLAN_METRICS_PORT', ['0', '-1', '65536', 'on']],
    ['OFFPLAN_METRICS_HOST', ['999.1.1.1', '*']],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ['collector:4318', 'http://user:secret@collector']],
    ['OTEL_TRACES_SAMPLER_ARG', ['1.1', '-1', 'half']],
    ['OFFPLAN_RATE_LIMIT_READS', ['0', '-5', 'many', '1.5']],
    ['OFFPLAN_RATE_LIMIT_IMPORTS', ['0', '-5', 'many', '1.5']],
    ['OFFPLAN_RATE_LIMIT_WRITES', ['0', '-5', 'many', '1.5']],
    ['OFFPLAN_RATE_LIMIT_EXPORTS', ['0', '-5', 'many', '1.5']],
    ['REDIS_URL', ['cache.internal', 'http://cache.internal', 'redis://[']],
    [
      'TRUST_PROXY',
      ['true', '1', 'proxy.internal', '10.0.0.0/33', '10.0.0.0/8/8', '::/x', '10.0.0.1,'],
    ],
    ['OFFPLAN_WORKERS', ['0', '-1', '65', '1.5', 'auto']],
    ['OFFPLAN_WORKER_TIMEOUT', ['0', '-1', '3601', '1.5', '10s']],
    ['OFFPLAN_IMPORT_LOG_REFUSED_MIB', ['-1', '1000001', '0.5', '256MiB', 'none']],
    ['OFFPLAN_JOB_LEASE', ['0', '3601', '1.5', '15s']],
    ['OFFPLAN_CONTACT_FILE_DAYS', ['0', '36501', '7d']],
    ['OFFPLAN_UNUSED_PICTURE_DAYS', ['0', '36501', '1.5']],
    ['OFFPLAN_EVENT_DAYS', ['0', '36501', '1.5', '30d']],
    ['OFFPLAN_SECRET_KEY', ['short', 'A'.repeat(44), `${'A'.repeat(42)}==`, 'none']],
    ['OFFPLAN_IMPORT_LOG_DAYS', ['0', '-1', '36501', '1.5', 'forever', '90d']],
    ['PUBLIC_URL', ['crm.example.com', 'ftp://x.example', 'https://', 'https://a.example/?q=1']],
    ['MEDIA_BASE_URL', ['/media', 'https://a.example/#x', 'https://user:secret@a.example']],
    [
      'OFFPLAN_CORS_ORIGINS',
      [
        '*',
        'null',
        'www.example.com',
        'https://a.example/',
        'https://A.example',
        'https://a.example:443',
      ],
    ],
    ['DATABASE_URL', ['mysql://db/offplan', 'db.internal', 'postgresql://[']],
  ];
  for (const [name, values] of bad)
    for (const value of values)
      assert.match(refusal({ [name]: value }), new RegExp(`^${name} must be`), `${name}=${value}`);
  for (const url of [
    'postgresql://crm:a@one,two:5433/offplan',
    'postgresql:///offplan?user=crm&host=one%2Ctwo',
  ])
    assert.match(refusal({ DATABASE_URL: url }), /^DATABASE_URL must be a URL of one host/, url);
  const oneHost = 'postgresql://crm:a,b@db.internal/offplan?application_name=a,b';
  assert.equal(readConfig({}, { DATABASE_URL: oneHost }).databaseUrl, oneHost);
  assert.match(refusal({}, { port: 'http' }), /^--port must be/);
  assert.match(refusal({}, { host: '999.1.1.1' }), /^--host must be/);
});

test('a port of the metrics that is the port of the service is refused, and both settings are named', () => {
  const metrics = { OFFPLAN_METRICS_PORT: '3000' };
  assert.equal(
    refusal(metrics),
    'OFFPLAN_METRICS_PORT must be another port than PORT (or --port): both are 3000.',
  );
  assert.match(refusal(metrics, { port: '3000' }), /^OFFPLAN_METRICS_PORT must be another port/);
  assert.equal(readConfig({ port: '3001' }, metrics).metricsPort, 3_000);
  assert.equal(readConfig({ host: '10.0.0.1' }, metrics).metricsPort, 3_000);
});

test('all settings that cannot be used are named at once, with the flags', () => {
  const environment = { PORT: 'x', HOST: 'a b', PUBLIC_URL: 'here', OFFPLAN_WORKERS: '0' };
  assert.deepEqual(
    refusal(environment, { port: '-1' })
      .split('\n')
      .map((line) => line.split(' ')[0]),
    ['--port', 'HOST', 'PUBLIC_URL', 'OFFPLAN_WORKERS'],
  );
});

test('the list of settings has every name that is read', () => {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    {},
    { get: (_target, name) => void names.add(String(name)) },
  );
  const config = readConfig({}, environment);
  // The settings of libpq count only for a URL.
  const ownNames = [...names].filter((name) => !name.startsWith('PG'));
  assert.deepEqual(ownNames.toSorted(), Object.keys(listSettings(config)).toSorted());
});

test('a variable OFFPLAN_… that is not a setting is named with the nearest setting', async () => {
  const nearest: [string, string][] = [
    ['OFFPLAN_WORKRES', 'OFFPLAN_WORKERS'],
    ['OFFPLAN_DATADIR', 'OFFPLAN_DATA_DIR'],
    ['OFFPLAN_RATE_LIMIT_READ', 'OFFPLAN_RATE_LIMIT_READS'],
    ['OFFPLAN_LOG_LEVEL', 'LOG_LEVEL'],
    ['OFFPLAN_DATABASE_URL', 'DATABASE_URL'],
    ['OFFPLAN_PORT', 'PORT'],
  ];
  for (const [name, setting] of nearest)
    assert.deepEqual(await describeUnknownSettings({ [name]: '1', OFFPLAN_WORKERS: '1', A: 'b' }), [
      `${name} is not a setting; the nearest one is ${setting}.`,
    ]);
  // A variable of a program that reads the API resembles no setting.
  assert.deepEqual(await describeUnknownSettings({ OFFPLAN_KEY: '1', OFFPLAN_URL: '1' }), [
    'OFFPLAN_KEY is not a setting.',
    'OFFPLAN_URL is not a setting.',
  ]);
  // Blank settings, those of compose.yaml, and those that Kubernetes makes for a service called offplan.
  const others = {
    OFFPLAN_WORKRES: ' ',
    OFFPLAN_VERSION: '1',
    OFFPLAN_PORT: 'tcp://10.0.0.1:3000',
    OFFPLAN_PORT_3000_TCP_ADDR: '10.0.0.1',
    OFFPLAN_SERVICE_HOST: '10.0.0.1',
  };
  assert.deepEqual(await describeUnknownSettings(others), []);
});

test('a refused URL is not repeated, since it can hold a password', () => {
  for (const [name, value] of [
    ['DATABASE_URL', 'postgres//crm:hunter2@db'],
    ['REDIS_URL', 'redis//crm:hunter2@cache'],
    ['PUBLIC_URL', 'https://crm:hunter2@example.com'],
    ['MEDIA_BASE_URL', 'https://crm:hunter2@example.com'],
  ] as const)
    assert.doesNotMatch(refusal({ [name]: value }), /hunter2/);
});

test('the settings cannot be changed once they are read', () => {
  assert.equal(Object.isFrozen(readConfig({}, {})), true);
});

test('the printed settings hold every value but no secret', () => {
  const printed = printConfig(
    readConfig(
      {},
      {
        DATABASE_URL:
          'postgresql://crm:hunter2@db.internal:5432/offplan?sslmode=require&password=hunter3&sslpassword=hunter4',
        PUBLIC_URL: 'https://crm.example.com',
        REDIS_URL: 'redis://crm:hunter5@cache.internal:6379/1',
      },
    ),
  );
  assert.doesNotMatch(printed, /hunter/);
  for (const line of [
    /^DATABASE_URL=postgresql:\/\/crm:.*@db\.internal:5432\/offplan\?sslmode=require/m,
    /^OFFPLAN_DATA_DIR=\//m,
    /^PORT=3000$/m,
    /^HOST=127\.0\.0\.1$/m,
    /^PUBLIC_URL=https:\/\/crm\.example\.com$/m,
    /^MEDIA_BASE_URL=https:\/\/crm\.example\.com\/media$/m,
    /^LOG_LEVEL=info$/m,
    /^OFFPLAN_CORS_ORIGINS=\(none\)$/m,
    /^OFFPLAN_METRICS_PORT=\(none\)$/m,
    /^OFFPLAN_METRICS_HOST=127\.0\.0\.1$/m,
    /^OFFPLAN_RATE_LIMIT_READS=\(none\)$/m,
    /^OFFPLAN_RATE_LIMIT_IMPORTS=\(none\)$/m,
    /^OFFPLAN_RATE_LIMIT_WRITES=\(none\)$/m,
    /^OFFPLAN_RATE_LIMIT_EXPORTS=\(none\)$/m,
    /^REDIS_URL=redis:\/\/crm:.*@cache\.internal:6379\/1$/m,
    /^TRUST_PROXY=\(none\)$/m,
    /^OFFPLAN_WORKERS=1$/m,
    /^OFFPLAN_IMPORT_LOG_DAYS=90$/m,
    /^OFFPLAN_IMPORT_LOG_REFUSED_MIB=256$/m,
    /^OFFPLAN_EVENT_DAYS=30$/m,
    /^OFFPLAN_SECRET_KEY=\(none\)$/m,
  ])
    assert.match(printed, line);
});

test('an embedded PostgreSQL is printed as such, and its file of the secret key', () => {
  const printed = printConfig(readConfig({}, {}));
  assert.match(printed, /^DATABASE_URL=\(embedded PostgreSQL\)$/m);
  assert.match(printed, /^OFFPLAN_SECRET_KEY=\(secret\.key in the data folder\)$/m);
});
