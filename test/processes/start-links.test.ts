import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { accountFile } from '../support/accounts.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { PASSWORD } from '../support/people.ts';
import { serving } from '../support/process.ts';
import { until } from '../support/until.ts';

const service = await build({ after });
const environment = {
  DATABASE_URL: await databaseUrl(service.db),
  LOG_LEVEL: 'error',
  PUBLIC_URL: 'https://crm.example.com',
};
await service.load(accountFile('first'));

/** Runs `offplan serve` on a terminal until it has printed a text that matches. Returns all that it printed. */
async function serveOnTerminal(pattern: RegExp): Promise<string> {
  const command = `${process.execPath} bin/offplan.js serve --port 0`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await until(() => Promise.resolve(pattern.test(printed)));
  // Ctrl+C, as the terminal sends it.
  child.stdin.write('\u0003');
  await once(child, 'exit');
  return printed;
}

async function serveToPipe(pattern: RegExp): Promise<string> {
  const served = await serving(environment);
  await until(() => Promise.resolve(pattern.test(served.printed())));
  await served.stop();
  return served.printed();
}

test('serve prints on a terminal a link that makes the first owner, and elsewhere the command', async () => {
  assert.match(
    await serveToPipe(/Nobody/),
    /^Nobody can sign in to first yet: offplan users invite first EMAIL --role owner prints a link\.$/m,
  );
  const printed = await serveOnTerminal(/start#offplan_link_\w{54}/);
  const [, token] = /https:\/\/crm\.example\.com\/a\/first\/start#(\S+)/.exec(printed) ?? [];
  const payload = { token, password: PASSWORD, email: 'hana@people.example', name: 'Hana' };
  const accept = () => service.send({ method: 'POST', url: '/api/v1/links/accept', payload });
  const { status, body, text } = await accept();
  assert.deepEqual([status, body.role], [200, 'owner'], text);
  assert.equal((await accept()).status, 404);
  assert.doesNotMatch(await serveToPipe(/listening/), /Nobody can sign in/);
});

test('serve goes on, with a warning, when the database does not say which accounts need a link', async (t) => {
  const client = await service.db.connect();
  t.after(() => client.release(true));
  await client.query('begin');
  await client.query('lock table users in access exclusive mode');
  const served = await serving({ ...environment, LOG_LEVEL: 'warn' });
  t.after(() => served.stop('SIGKILL'));
  await until(() => /how to sign in was not printed/.test(served.logged()));
  await client.query('rollback');
  assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
});
