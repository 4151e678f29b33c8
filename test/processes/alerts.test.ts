import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { dataFolder } from '../support/process.ts';

const RULES = fileURLToPath(new URL('../../docs/alerts.yaml', import.meta.url));
const skip =
  spawnSync('promtool', ['--version']).error !== undefined &&
  process.env['CI'] === undefined &&
  'promtool is not on the PATH: apt-get install prometheus';

/** Series that differ from a calm day, a value a minute in the notation of promtool, and the alerts that fire after some minutes. */
interface Case {
  series: Record<string, string>;
  minutes: number;
  fires: string[];
}

const NODE = 'instance="node"';
const WORKER = `${NODE},worker="1"`;
const LEADS = `method="POST",route="/api/v1/contacts"`;
/** Two hours of leads that are answered. */
const CALM = {
  [`up{job="offplan",${NODE}}`]: '1x120',
  [`offplan_worker_up{${WORKER}}`]: '1x120',
  [`http_requests_total{${WORKER},${LEADS},status="201"}`]: '0+600x120',
  [`http_request_duration_seconds_bucket{${WORKER},${LEADS},le="1"}`]: '0+600x120',
  [`http_request_duration_seconds_bucket{${WORKER},${LEADS},le="2.5"}`]: '0+600x120',
  [`http_request_duration_seconds_bucket{${WORKER},${LEADS},le="+Inf"}`]: '0+600x120',
  [`offplan_imports_total{${WORKER},channel="single",outcome="created"}`]: '0+600x120',
  [`offplan_imports_total{${WORKER},channel="single",outcome="internal_error"}`]: '0x120',
  [`offplan_imports_total{${WORKER},channel="single",outcome="unavailable"}`]: '0x120',
};

const CASES: Record<string, Case> = {
  'on a calm day': { series: {}, minutes: 119, fires: [] },
  'when the first process does not answer': {
    series: { [`up{job="offplan",${NODE}}`]: '1x60 0x60' },
    minutes: 63,
    fires: ['OffplanDown'],
  },
  'when a worker does not answer': {
    series: { [`offplan_worker_up{${WORKER}}`]: '1x60 0x60' },
    minutes: 64,
    fires: ['OffplanWorkerDown'],
  },
  'when reads fail through a fault': {
    series: { [`http_requests_total{${WORKER},method="GET",route="x",status="500"}`]: '0+1x120' },
    minutes: 20,
    fires: ['OffplanErrors'],
  },
  'when one lead of many cannot be handled': {
    series: {
      [`offplan_imports_total{${WORKER},channel="single",outcome="internal_error"}`]: '0x60 1x60',
    },
    minutes: 65,
    fires: ['OffplanImportsFail'],
  },
  'when the database takes no writes for 70 minutes': {
    series: {
      [`http_requests_total{${WORKER},${LEADS},status="201"}`]: '0x120',
      [`http_requests_total{${WORKER},${LEADS},status="503"}`]: '0+600x120',
      [`offplan_imports_total{${WORKER},channel="single",outcome="created"}`]: '0x120',
      [`offplan_imports_total{${WORKER},channel="single",outcome="unavailable"}`]: '0+600x120',
    },
    minutes: 70,
    fires: ['OffplanUnavailable'],
  },
  'when most leads are wrong': {
    series: {
      [`offplan_imports_total{${WORKER},channel="single",outcome="invalid_request"}`]: '0+900x120',
    },
    minutes: 70,
    fires: ['OffplanImportsRefused'],
  },
  'when the refused leads of an account take their room': {
    series: { [`offplan_import_log_refused_share{${WORKER}}`]: '0.79x60 0.81x60' },
    minutes: 61,
    fires: ['OffplanImportLogFull'],
  },
  'when the import log takes the disk': {
    series: { [`offplan_import_log_bytes{${WORKER}}`]: '21e9x120' },
    minutes: 5,
    fires: ['OffplanImportLogSize'],
  },
  'when leads are slow': {
    series: {
      [`http_request_duration_seconds_bucket{${WORKER},${LEADS},le="1"}`]: '0+500x120',
    },
    minutes: 20,
    fires: ['OffplanSlow'],
  },
  'when leads wait': {
    series: { [`offplan_import_requests_pending{${WORKER}}`]: '250x120' },
    minutes: 5,
    fires: ['OffplanImportsPending'],
  },
  'when work waits for connections': {
    series: { [`offplan_database_waiting{${WORKER}}`]: '3x120' },
    minutes: 5,
    fires: ['OffplanDatabaseWaiting'],
  },
  'when a process has no time left': {
    series: { [`nodejs_eventloop_lag_p99_seconds{${WORKER}}`]: '0.4x120' },
    minutes: 10,
    fires: ['OffplanEventLoopLag'],
  },
  'when a process takes much memory': {
    series: { [`process_resident_memory_bytes{job="offplan",${WORKER}}`]: '1.2e9x120' },
    minutes: 15,
    fires: ['OffplanMemory'],
  },
  'when keys are refused': {
    series: { [`http_requests_total{${WORKER},${LEADS},status="401"}`]: '0+60x120' },
    minutes: 20,
    fires: ['OffplanKeysRefused'],
  },
  'when a client goes on after its limit': {
    series: { [`http_requests_total{${WORKER},${LEADS},status="429"}`]: '0+120x120' },
    minutes: 30,
    fires: ['OffplanRateLimited'],
  },
};

for (const [when, { series, minutes, fires }] of Object.entries(CASES))
  test(`${fires.join() || 'no alert'} of alerts.yaml fires ${when}`, { skip }, (t) => {
    const input = Object.entries({ ...CALM, ...series });
    const unit = {
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: input.map(([name, values]) => ({ series: name, values })),
          promql_expr_test: [
            {
              expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
              eval_time: `${minutes}m`,
              exp_samples: fires.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
            },
          ],
        },
      ],
    };
    const file = join(dataFolder(t), 'alerts.test.yaml');
    writeFileSync(file, JSON.stringify(unit));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
  });

test('promtool finds no fault in alerts.yaml, and each alert has a case here', { skip }, () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', RULES], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
  const names = readFileSync(RULES, 'utf8').matchAll(/alert: (\w+)/g);
  const tested = Object.values(CASES).flatMap(({ fires }) => fires);
  assert.deepEqual(new Set(Array.from(names, ([, name]) => name)), new Set(tested));
});
