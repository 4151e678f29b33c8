import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test, type TestContext } from 'node:test';
import { uuidv7 } from 'uuidv7';
import { accountIdOf } from '../support/accounts.ts';
import { developersOf } from '../support/developer.ts';
import { keyEndpointsOf, type Endpoint } from '../support/endpoints.ts';
import { build } from '../support/harness.ts';
import { mistyped, unknownKey } from '../support/keys.ts';
import { neighbour } from '../support/neighbours.ts';
import { makeRequest, referencesOf } from '../support/references.ts';

/*
 * Whether an id is another account's or nobody's must not show in the time that an answer takes. Requests of three kinds
 * (one unknown, another unknown, foreign) are sent in turn over one connection, so that whatever else the machine does
 * falls on all alike, and each is compared with the one beside it. That two unknown ones are as far apart tells how
 * fine the measure is; it can only speak of differences that are larger.
 */
const ROUNDS = 2_000;
const WARM_UP = 200;
/** The most that the median difference may be, as a part of the median time. */
const SHARE = 0.05;

const service = await build({ after });
const mine = await developersOf(service)();
await neighbour(service);
await service.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = service.app.server.address() as AddressInfo;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
after(() => agent.destroy());

type Request = ReturnType<Endpoint['request']>;

async function timeOf({ method = 'GET', url: path, payload }: Request, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = payload === undefined ? '' : JSON.stringify(payload);
  const startedMs = performance.now();
  const sent = send({ host: '127.0.0.1', port, path, agent, method, headers }).end(body);
  const [answer] = await once(sent, 'response');
  await once(answer.resume(), 'end');
  return performance.now() - startedMs;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** How much longer each of these takes than the first, as a part of the time that the first takes: the medians. */
async function compare(t: TestContext, kinds: (() => Promise<number>)[]): Promise<number[]> {
  const times = kinds.map((): number[] => []);
  for (let round = -WARM_UP; round < ROUNDS; round += 1)
    for (let turn = 0; turn < kinds.length; turn += 1) {
      const index = (turn + Math.abs(round)) % kinds.length;
      const ms = (await kinds[index]?.()) ?? NaN;
      if (round >= 0) times[index]?.push(ms);
    }
  const [first = [], ...others] = times;
  const shares = others.map(
    (each) => median(each.map((ms, n) => ms - (first[n] ?? NaN))) / median(first),
  );
  const percents = shares.map((share) => `${(share * 100).toFixed(2)} %`);
  t.diagnostic(`median ${median(first).toFixed(3)} ms; longer by ${percents.join(', ')}`);
  return shares;
}

for (const endpoint of keyEndpointsOf(service.app.swagger()))
  if (endpoint.idPlaces.length > 0)
    describe(`${endpoint.name} takes as long for a foreign id as for an unknown one`, () => {
      for (const place of endpoint.idPlaces)
        for (const { foreign, unknown, beside } of referencesOf(endpoint, place))
          test(`in ${place.join('/')}`, async (t) => {
            const other = unknown.includes('-') ? uuidv7() : 'absent';
            const kinds = [unknown, other, foreign].map((id) => {
              const request = makeRequest(endpoint, place, id, beside);
              return () => timeOf(request, mine.key);
            });
            const [unknowns = NaN, foreigns = NaN] = await compare(t, kinds);
            assert.ok(Math.abs(unknowns) < SHARE, 'the machine is too busy to measure this');
            assert.ok(Math.abs(foreigns) < SHARE);
          });
    });

test('the measure sees one statement: an unknown key against one that its checksum refuses', async (t) => {
  const accountId = await accountIdOf(service.db, mine);
  const request = { url: '/api/v1/stocklist' };
  const unknown = unknownKey(accountId);
  const [longer = NaN] = await compare(
    t,
    [mistyped(unknown), unknown].map((key) => () => timeOf(request, key)),
  );
  assert.ok(longer > SHARE);
});
