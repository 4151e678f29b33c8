import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../database/index.ts';
import { createPresence, createTurns } from './turns.ts';

/** Turns whose work ends when the test says so. */
function turnsWith(limits: { lanes: number; lanesOfAccount: number; patienceMs?: number }) {
  const takeTurn = createTurns(limits);
  const started: string[] = [];
  const ends = new Map<string, () => void>();

  function ask(account: string, name: string): Promise<string> {
    return takeTurn(account, () => {
      started.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    });
  }

  async function end(...names: string[]): Promise<void> {
    for (const name of names) ends.get(name)?.();
    await turn();
  }

  return { takeTurn, ask, end, started };
}

test('work runs at once when a lane is free, and its result is its caller’s', async () => {
  const { ask, end, started } = turnsWith({ lanes: 1, lanesOfAccount: 1 });
  const result = ask('a', 'one');
  assert.deepEqual(started, ['one']);
  await end('one');
  assert.equal(await result, 'one');
});

test('as much runs at once as there are lanes', async () => {
  const { ask, end, started } = turnsWith({ lanes: 2, lanesOfAccount: 2 });
  for (const name of ['a', 'b', 'c', 'd']) void ask(name, name);
  assert.deepEqual(started, ['a', 'b']);
  await end('b');
  assert.deepEqual(started, ['a', 'b', 'c']);
  await end('a', 'c');
  assert.deepEqual(started, ['a', 'b', 'c', 'd']);
});

test('an account has no more than its own lanes, even when others are free', async () => {
  const { ask, end, started } = turnsWith({ lanes: 4, lanesOfAccount: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name);
  assert.deepEqual(started, ['a1', 'a2']);
  void ask('b', 'b1');
  assert.deepEqual(started, ['a1', 'a2', 'b1']);
  await end('a2');
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3']);
  await end('b1');
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3']);
  await end('a3');
  assert.equal(started.at(-1), 'a4');
});

test('work whose turn does not come in time is given up and never begins, and who comes later has a turn', async () => {
  const { ask, end, started } = turnsWith({ lanes: 2, lanesOfAccount: 1, patienceMs: 50 });
  const first = ask('a', 'a1');
  const late = [ask('a', 'a2'), ask('a', 'a3')];
  for (const each of late) await assert.rejects(each, UnavailableError);
  const last = ask('a', 'a4');
  await end('a1');
  assert.deepEqual(started, ['a1', 'a4']);
  await end('a4');
  assert.deepEqual([await first, await last], ['a1', 'a4']);
});

test('the work of one account starts in the order in which it came', async () => {
  const { ask, end, started } = turnsWith({ lanes: 1, lanesOfAccount: 1 });
  const names = ['one', 'two', 'three', 'four', 'five'];
  for (const name of names) void ask('a', name);
  for (const name of names) await end(name);
  assert.deepEqual(started, names);
});

test('nobody overtakes who waited until their account gave way no more', async () => {
  let givesWay = true;
  const takeTurn = createTurns(
    { lanes: 2, lanesOfAccount: 2, lanesBesideOthers: 1 },
    { givesWay: () => givesWay },
  );
  const started: string[] = [];
  const ask = (name: string) =>
    void takeTurn('a', () => {
      started.push(name);
      return new Promise(() => undefined);
    });
  ask('one');
  ask('two');
  assert.deepEqual(started, ['one']);
  givesWay = false;
  ask('three');
  assert.deepEqual(started, ['one', 'two']);
});

test('accounts take turns: however much one has, another waits for one piece of it', async () => {
  const { ask, end, started } = turnsWith({ lanes: 1, lanesOfAccount: 1 });
  for (let n = 0; n < 50; n += 1) void ask('busy', `busy ${n}`);
  void ask('quiet', 'quiet 0');
  void ask('quiet', 'quiet 1');
  void ask('other', 'other 0');
  for (let n = 0; n < 6; n += 1) await end(started.at(-1) ?? '');
  assert.deepEqual(started.slice(0, 7), [
    'busy 0',
    'quiet 0',
    'other 0',
    'busy 1',
    'quiet 1',
    'busy 2',
    'busy 3',
  ]);
});

test('a lane that an account may not use is another’s', async () => {
  const { ask, end, started } = turnsWith({ lanes: 3, lanesOfAccount: 2 });
  for (let n = 0; n < 5; n += 1) void ask('busy', `busy ${n}`);
  for (const name of ['a', 'b', 'c']) void ask(name, name);
  assert.deepEqual(started, ['busy 0', 'busy 1', 'a']);
  await end('a');
  await end('b');
  await end('c');
  assert.deepEqual(started, ['busy 0', 'busy 1', 'a', 'b', 'c']);
  await end('busy 0');
  assert.equal(started.at(-1), 'busy 2');
});

for (const [how, fail] of [
  ['rejects', () => Promise.reject(new Error('lost'))],
  [
    'throws at once',
    (): Promise<never> => {
      throw new Error('lost');
    },
  ],
] as const)
  test(`an error of work that ${how} is its caller’s, and its lane is free again`, async () => {
    const { takeTurn, ask, started } = turnsWith({ lanes: 1, lanesOfAccount: 1 });
    for (let n = 0; n < 3; n += 1) await assert.rejects(takeTurn('a', fail), { message: 'lost' });
    void ask('a', 'one');
    assert.deepEqual(started, ['one']);
  });

test('where accounts rest, one that has more waiting starts it after as long as it has worked, others at once', async () => {
  const takeTurn = createTurns({ lanes: 2, lanesOfAccount: 1, rests: 'always' });
  const startedMs: Record<string, number> = {};
  const work = (name: string) => async () => {
    startedMs[name] = performance.now();
    await sleep(40);
  };
  const all = [takeTurn('a', work('a 1')), takeTurn('a', work('a 2')), takeTurn('b', work('b'))];
  await Promise.all(all);
  const after = (name: string) => Number(startedMs[name]) - Number(startedMs['a 1']);
  assert.ok(after('b') < after('a 2'), JSON.stringify(startedMs));
  assert.ok(after('a 2') >= 75, JSON.stringify(startedMs));
  // Who has waited for nothing does not wait now.
  const againMs = performance.now();
  await takeTurn('a', work('a 3'));
  assert.ok(Number(startedMs['a 3']) - againMs < 30);
});

test('where accounts rest beside others, one that is alone does not', async () => {
  let rested = 0;
  const limits = { lanes: 2, lanesOfAccount: 1, rests: 'beside others' } as const;
  const takeTurn = createTurns(limits, { rest: async () => void (rested += 1) });
  const flood = () => Promise.all([1, 2, 3].map(() => takeTurn('a', () => turn())));
  await flood();
  assert.equal(rested, 0);
  await takeTurn('b', () => turn());
  await flood();
  assert.equal(rested, 2);
});

test('beside others an account has fewer lanes, whatever their turns are for', async () => {
  const presence = createPresence();
  const takeOther = createTurns({ lanes: 1, lanesOfAccount: 1 }, { presence });
  const takeTurn = createTurns(
    { lanes: Infinity, lanesOfAccount: 3, lanesBesideOthers: 1 },
    { presence },
  );
  async function most(): Promise<number> {
    let running = 0;
    const seen = await Promise.all(
      Array.from({ length: 6 }, () =>
        takeTurn('a', async () => {
          running += 1;
          const now = running;
          await turn();
          running -= 1;
          return now;
        }),
      ),
    );
    return Math.max(...seen);
  }
  assert.equal(await most(), 3);
  await takeOther('a', turn);
  assert.equal(await most(), 3);
  await takeOther('b', turn);
  assert.equal(await most(), 1);
});

test('work runs in the context of who asked for it, whoever frees its lane', async () => {
  const takeTurn = createTurns({ lanes: 1, lanesOfAccount: 1 });
  const asker = new AsyncLocalStorage<string>();
  const seen = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      asker.run(name, () =>
        takeTurn(name, async () => {
          await turn();
          return asker.getStore();
        }),
      ),
    ),
  );
  assert.deepEqual(seen, ['a', 'b', 'c']);
});

test('an account that has rested is served again', async () => {
  const { ask, end, started } = turnsWith({ lanes: 1, lanesOfAccount: 1 });
  for (let round = 0; round < 3; round += 1) {
    void ask('a', `a ${round}`);
    await end(`a ${round}`);
    await turn();
  }
  assert.deepEqual(started, ['a 0', 'a 1', 'a 2']);
});

test('twenty thousand that are given up at once hold up nobody', async () => {
  const { takeTurn, ask } = turnsWith({ lanes: 1, lanesOfAccount: 1, patienceMs: 50 });
  void ask('a', 'one');
  const refused = Array.from({ length: 20_000 }, () =>
    assert.rejects(
      takeTurn('a', async () => undefined),
      UnavailableError,
    ),
  );
  let latestMs = 0;
  let lookedMs = performance.now();
  const looking = setInterval(() => {
    latestMs = Math.max(latestMs, performance.now() - lookedMs);
    lookedMs = performance.now();
  }, 1);
  await Promise.all(refused);
  clearInterval(looking);
  // It took 12 seconds when each made a copy of all that waited.
  assert.ok(latestMs < 2_000, `${latestMs} ms`);
});

test('never more runs than may, and all of it runs, whatever comes when', async () => {
  const takeTurn = createTurns({ lanes: 4, lanesOfAccount: 2 });
  const running = new Map<string, number>();
  let most = 0;
  let done = 0;
  const work = (account: string, pauses: number) => async () => {
    const mine = (running.get(account) ?? 0) + 1;
    running.set(account, mine);
    assert.ok(mine <= 2, `${mine} of one account`);
    most = Math.max(
      most,
      [...running.values()].reduce((sum, each) => sum + each),
    );
    for (let n = 0; n < pauses; n += 1) await turn();
    running.set(account, (running.get(account) ?? 0) - 1);
    done += 1;
  };
  const all = Array.from({ length: 300 }, async (_, n) => {
    if (n % 3) await turn();
    await takeTurn(`account ${(n * 7) % 5}`, work(`account ${(n * 7) % 5}`, n % 4));
  });
  await Promise.all(all);
  assert.deepEqual([most, done], [4, 300]);
});
