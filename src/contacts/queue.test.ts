import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Outcome } from './import.ts';
import { toLead } from './lead.ts';
import { createImportQueue } from './queue.ts';
import type { ContactImportResult } from './schemas.ts';

const lead = (name: string) => toLead({ email: `${name}@example.com` });
const outcomeOf = (email: string) => ({ email }) as ContactImportResult;
const emailOf = (outcome: Outcome) => (outcome as ContactImportResult).email;

interface Batch {
  account: string;
  names: string[];
  end: () => void;
  fail: (error: Error) => void;
}

/** A queue whose batches end when the test says so. */
function queueWith(limits: { batchMax: number; lanes: number }) {
  const batches: Batch[] = [];
  const enqueue = createImportQueue(
    (account, leads) =>
      new Promise((resolve, reject) => {
        const names = leads.map(({ email }) => email.split('@')[0] ?? '');
        const end = () => resolve(leads.map(({ email }) => outcomeOf(email)));
        batches.push({ account, names, end, fail: reject });
      }),
    limits,
  );
  const started = () => batches.map(({ account, names }) => `${account}: ${names.join(' ')}`);
  async function end(index: number): Promise<void> {
    batches[index]?.end();
    await turn();
  }
  return { enqueue, started, end, batches };
}

test('a lead that comes alone is imported at once', async () => {
  const { enqueue, started, end } = queueWith({ batchMax: 10, lanes: 1 });
  const outcome = enqueue('a', lead('one'));
  assert.deepEqual(started(), ['a: one']);
  await end(0);
  assert.equal(emailOf(await outcome), 'one@example.com');
});

test('leads that come while a batch of their account runs are the next batch, in their order', async () => {
  const { enqueue, started, end } = queueWith({ batchMax: 10, lanes: 4 });
  const outcomes = ['one', 'two', 'three', 'four'].map((name) => enqueue('a', lead(name)));
  assert.deepEqual(started(), ['a: one']);
  await end(0);
  assert.deepEqual(started(), ['a: one', 'a: two three four']);
  await end(1);
  const emails = (await Promise.all(outcomes)).map(emailOf);
  assert.deepEqual(
    emails,
    ['one', 'two', 'three', 'four'].map((name) => `${name}@example.com`),
  );
});

test('a batch is bounded; what is left forms the next', async () => {
  const { enqueue, started, end } = queueWith({ batchMax: 2, lanes: 1 });
  for (const name of ['one', 'two', 'three', 'four']) void enqueue('a', lead(name));
  await end(0);
  await end(1);
  await end(2);
  assert.deepEqual(started(), ['a: one', 'a: two three', 'a: four']);
});

test('accounts take turns: a busy one does not hold up another', async () => {
  const { enqueue, started, end } = queueWith({ batchMax: 2, lanes: 1 });
  for (const name of ['one', 'two', 'three', 'four', 'five']) void enqueue('busy', lead(name));
  void enqueue('quiet', lead('other'));
  await end(0);
  await end(1);
  await end(2);
  assert.deepEqual(started(), ['busy: one', 'quiet: other', 'busy: two three', 'busy: four five']);
});

test('as many accounts run at once as there are lanes, and each only once', async () => {
  const { enqueue, started, end } = queueWith({ batchMax: 5, lanes: 2 });
  for (const account of ['a', 'b', 'c', 'a', 'b']) void enqueue(account, lead('one'));
  assert.deepEqual(started(), ['a: one', 'b: one']);
  await end(1);
  assert.deepEqual(started(), ['a: one', 'b: one', 'c: one']);
  await end(0);
  assert.deepEqual(started().slice(3), ['b: one']);
  await end(2);
  assert.deepEqual(started().slice(3), ['b: one', 'a: one']);
});

test('a batch that fails gives its error to each lead in it, and the queue goes on', async () => {
  const { enqueue, started, end, batches } = queueWith({ batchMax: 5, lanes: 1 });
  const first = enqueue('a', lead('one'));
  const others = [enqueue('a', lead('two')), enqueue('a', lead('three'))];
  await end(0);
  const error = new Error('lost');
  batches[1]?.fail(error);
  assert.deepEqual(await Promise.all(others), [error, error]);
  assert.equal(emailOf(await first), 'one@example.com');
  void enqueue('a', lead('four'));
  assert.equal(started().at(-1), 'a: four');
});

test('a lead whose batch has no outcome for it is told so, not left waiting', async () => {
  const enqueue = createImportQueue(async () => [], { batchMax: 5, lanes: 1 });
  assert.ok((await enqueue('a', lead('one'))) instanceof Error);
});
