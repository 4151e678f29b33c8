import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl, SECRET_KEY } from '../support/harness.ts';
import { serving } from '../support/process.ts';
import { answering, startReceiver } from '../support/receiver.ts';
import { run } from '../support/sql.ts';
import { subtractTime } from '../support/times.ts';
import { until } from '../support/until.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 7;
/** More than the sweep deletes in one statement. */
const MANY = 1_100;

test('serve deletes the records of deliveries older than OFFPLAN_WEBHOOK_DELIVERY_DAYS, except those that are tried again', async () => {
  const service = await build(
    { after },
    { webhookAllowPrivate: true, webhookScheduleMs: [0, 2 * DAYS * DAY_MS] },
  );
  const { db } = service;
  const { slug } = await developersOf(service)();
  const key = await service.key(slug, 'all');
  const receiver = await startReceiver({ after });
  const post = async (path: string, payload: object) =>
    (await service.send({ method: 'POST', url: `/api/v1${path}`, payload, key })).body;
  const hook = await post('/webhooks', { url: receiver.url, types: ['contact.created'] });
  const count = async (status: string): Promise<number> => {
    const { rows } = await run(
      db,
      'select from webhook_deliveries where webhook_id = $1 and status = $2',
      [hook.id, status],
    );
    return rows.length;
  };
  receiver.reply(answering(503));
  await post('/contacts', { email: 'refused@example.com' });
  await until(async () => (await count('pending')) === 1);
  receiver.reply(answering(204));
  await post('/contacts', { email: 'old@example.com' });
  await until(async () => (await count('delivered')) === 1);
  await run(
    db,
    `insert into webhook_deliveries (account_id, webhook_id, sequence, type, subject, event_at, status, attempt, at)
      select account_id, webhook_id, sequence + 1000000 + n, type, subject, event_at, status, attempt, at
      from webhook_deliveries, generate_series(1, $1) as n where status = 'delivered'`,
    [MANY],
  );
  await run(
    db,
    `update webhook_deliveries set at = ${subtractTime('at', `$1 * interval '1 day'`)}`,
    [DAYS + 1],
  );
  await post('/contacts', { email: 'new@example.com' });
  await until(async () => (await count('delivered')) === MANY + 2);
  await run(
    db,
    `update webhook_deliveries set at = ${subtractTime('at', `$1 * interval '1 day'`)}
      where at = (select max(at) from webhook_deliveries)`,
    [DAYS - 1],
  );

  const server = await serving({
    DATABASE_URL: await databaseUrl(db),
    LOG_LEVEL: 'error',
    OFFPLAN_SECRET_KEY: SECRET_KEY.toString('base64'),
    OFFPLAN_WEBHOOK_DELIVERY_DAYS: String(DAYS),
  });
  after(async () => void (await server.stop('SIGKILL')));
  await until(async () => (await count('delivered')) <= 1);
  const shown = await service.send({ url: `/api/v1/webhooks/${hook.id}/deliveries`, key });
  const statuses = shown.body.data.map(({ status }: { status: string }) => status);
  assert.deepEqual(statuses.toSorted(), ['delivered', 'pending']);
});
