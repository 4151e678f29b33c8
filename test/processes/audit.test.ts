import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const AUDIT = fileURLToPath(new URL('../../.ci/audit', import.meta.url));

const ADVISORY = {
  id: 1,
  url: 'https://advisories.example.com/1',
  title: 'Sesame opens',
  severity: 'high',
  vulnerable_versions: '*',
  cwe: [],
  cvss: { score: 8, vectorString: null },
};

/** Runs `.ci/audit` against a registry that answers each request for advisories like this. */
async function audit(t: TestContext, status: number, answer: object) {
  const registry = createServer((request, response) => {
    request.resume().once('end', () => {
      const isQuestion = request.method === 'POST' && request.url?.includes('/advisories/bulk');
      response.writeHead(isQuestion ? status : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isQuestion ? answer : {}));
    });
  });
  const cache = mkdtempSync(join(tmpdir(), 'offplan-audit-'));
  t.after(() => {
    registry.close();
    rmSync(cache, { recursive: true, force: true });
  });
  const child = spawn(AUDIT, {
    env: {
      ...process.env,
      npm_config_registry: await urlOf(registry),
      npm_config_cache: cache,
      npm_config_fetch_retries: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code: child.exitCode, printed };
}

async function urlOf(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('a known vulnerability in a dependency fails the gate, and is named', async (t) => {
  const { code, printed } = await audit(t, 200, { fastify: [ADVISORY] });
  assert.equal(code, 1);
  assert.match(printed, /Sesame opens/);
});

test('without a known vulnerability the gate passes, and says so', async (t) => {
  const { code, printed } = await audit(t, 200, {});
  assert.deepEqual([code, /no known vulnerability/.test(printed)], [0, true]);
});

test('the gate passes when the registry cannot be asked, and says that nothing was checked', async (t) => {
  const { code, printed } = await audit(t, 405, {});
  assert.equal(code, 0);
  assert.match(printed, /NOT CHECKED/);
  assert.doesNotMatch(printed, /no known/);
});
