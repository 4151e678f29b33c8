import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Problem } from '../platform/http/index.ts';
import { createImportQueue } from './queue.ts';
import type { ContactImportResult } from './schemas.ts';
import type { Outcome, Submission } from './submission.ts';
import { createTurns } from '../platform/queue/index.ts';

const nameOf = ({ imports: [first] }: Submission) => first?.payload ?? '';
const outcomesOf = (each: Submission) => [{ email: nameOf(each) } as ContactImportResult];
const emailOf = (result: Outcome[] | Error) =>
  result instanceof Error ? result : (result[0] as ContactImportResult).email;

function lead(payload: string): Submission {
  const origin = {
    channel: 'single',
    apiKeyId: null,
    requestId: null,
    position: null,
    file: null,
  } as const;
  const refused = new Problem('malformed_body', 'none');
  return { imports: [{ id: '', receivedAt: new Date(), origin, payload, lead: refused }] };
}

// Time passes when a test says so.
mock.timers.enable({ apis: ['setTimeout'] });

async function aMillisecond(): Promise<void> {
  await turn();
  mock.timers.tick(1);
  await turn();
}

interface Batch {
  account: string;
  names: string[];
  end: () => void;
  fail: (error: Error) => void;
}

/** A queue whose batches end when the test says so. */
function queueWith({ batchMax, lanes }: { batchMax: number; lanes: number }) {
  const batches: Batch[] = [];
  const { enqueue } = createImportQueue({
    importAll: (account, submissions) =>
      new Promise((resolve, reject) => {
        const end = () => resolve(submissions.map(outcomesOf));
        batches.push({ account, names: submissions.map(nameOf), end, fail: reject });
      }),
    takeTurn: createTurns({ lanes, lanesOfAccount: 2 }),
    batchMaxOf: () => batchMax,
  });
  const started = () => batches.map(({ account, names }) => `${account}: ${names.join(' ')}`);
  async function end(index: number): Promise<void> {
    batches[index]?.end();
    await aMillisecond();
  }
  return { enqueue, started, end, batches };
}

test('a lead that comes alone is imported at once', async () => {
  const { enqueue, started, end } = queueWith({ batchMax: 10, lanes: 1 });
  const outcome = enqueue('a', lead('one'));
  assert.deepEqual(started(), ['a: one']);
  await end(0);
  assert.equal(emailOf(await outcome), 'one');
});

test('leads that come while a batch of their account runs are the next batch, in their order', async () => {
  const { enqueue, started, end } = queueWith({ batchMax: 10, lanes: 4 });
  const outcomes = ['one', 'two', 'three', 'four'].map((name) => enqueue('a', lead(name)));
  assert.deepEqual(started(), ['a: one']);
  await end(0);
  assert.deepEqual(started(), ['a: one', 'a: two three four']);
  await end(1);
  const emails = (await Promise.all(outcomes)).map(emailOf);
  assert.deepEqual(emails, ['one', 'two', 'three', 'four']);
});

test('a batch waits for as many as there were a moment ago, and begins when they are there', async () => {
  const { enqueue, started, batches } = queueWith({ batchMax: 10, lanes: 1 });
  for (const name of ['one', 'two', 'three']) void enqueue('a', lead(name));
  batches[0]?.end();
  await turn();
  assert.deepEqual(started(), ['a: one']);
  void enqueue('a', lead('four'));
  await turn();
  assert.deepEqual(started(), ['a: one', 'a: two three four']);
});

test('a batch waits no longer than a millisecond', async () => {
  const { enqueue, started, batches } = queueWith({ batchMax: 10, lanes: 1 });
  for (const name of ['one', 'two', 'three']) void enqueue('a', lead(name));
  batches[0]?.end();
  await aMillisecond();
  assert.deepEqual(started(), ['a: one', 'a: two three']);
});

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`);
const batchOf = (from: number, to: number): string => `a: ${names(from, to).join(' ')}`;

test('from eight in flight on, two batches of an account run at once', async () => {
  const { enqueue, started } = queueWith({ batchMax: 20, lanes: 4 });
  for (const name of names(1, 7)) void enqueue('a', lead(name));
  assert.deepEqual(started(), ['a: 1']);
  for (const name of names(8, 12)) void enqueue('a', lead(name));
  assert.deepEqual(started(), ['a: 1', batchOf(2, 8)]);
});

test('two batches share what is in flight by halves', async () => {
  const { enqueue, started, batches } = queueWith({ batchMax: 20, lanes: 4 });
  const send = async (from: number, to: number): Promise<void> => {
    for (const name of names(from, to)) {
      void enqueue('a', lead(name));
      await turn();
    }
  };
  await send(1, 8);
  batches[1]?.end();
  await send(9, 15);
  assert.deepEqual(started().slice(2), [batchOf(9, 12)]);
  batches[0]?.end();
  await send(16, 16);
  assert.deepEqual(started().slice(3), [batchOf(13, 16)]);
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
  assert.equal(emailOf(await first), 'one');
  void enqueue('a', lead('four'));
  await aMillisecond();
  assert.equal(started().at(-1), 'a: four');
});

test('a lead whose batch has no outcome for it is told so, not left waiting', async () => {
  const takeTurn = createTurns({ lanes: 1, lanesOfAccount: 1 });
  const { enqueue } = createImportQueue({
    importAll: async () => [],
    takeTurn,
    batchMaxOf: () => 5,
  });
  assert.ok((await enqueue('a', lead('one'))) instanceof Error);
});
