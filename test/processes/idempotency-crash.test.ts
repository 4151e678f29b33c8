import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountFile, PROJECT_ID } from '../support/accounts.ts';
import { dataFolder, offplan, serving, signalPostgres, type Serving } from '../support/process.ts';

const REQUESTS = 200;
const EMAILS = 40;
const CLIENTS = 16;

interface Exported {
  contacts: {
    email: string;
    tags: string[];
    activities: { body: string }[];
    links: { projectId: string }[];
  }[];
}

interface Request {
  path: string;
  key: string;
  body: object;
  notes: { email: string; note: string }[];
}

interface Answer {
  status: number;
  text: string;
  replayed: boolean;
}

/*
 * Makes requests, half of them batches. Several requests have the same email, each with another note: a note that repeats the
 * latest activity is not stored again, which would hide an import that happened twice.
 */
function requestsOf(round: string): Request[] {
  const emailOf = (n: number): string => `${round}-${n % EMAILS}@example.com`;
  return Array.from({ length: REQUESTS }, (_, n) => {
    const notes = [{ email: emailOf(n), note: `${round} note ${n}` }];
    const isBatch = n % 2 === 1;
    if (isBatch) notes.push({ email: emailOf(n * 7), note: `${round} other note ${n}` });
    const leads = notes.map(({ email, note }) => ({
      email,
      notes: note,
      tag: round,
      projectId: PROJECT_ID,
    }));
    return {
      path: isBatch ? '/api/v1/contacts/batch' : '/api/v1/contacts',
      key: `${round}-${n}`,
      body: isBatch ? { contacts: leads } : (leads[0] ?? {}),
      notes,
    };
  });
}

async function post(url: string, apiKey: string, { path, key, body }: Request): Promise<Answer> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  });
  const replayed = response.headers.get('idempotent-replayed') === 'true';
  return { status: response.status, text: await response.text(), replayed };
}

/** Sends all requests, several at once, until the server is gone. Returns the answers that arrived. */
async function sendAll(
  send: (request: Request) => Promise<Answer>,
  requests: Request[],
): Promise<Map<Request, Answer>> {
  const answers = new Map<Request, Answer>();
  const left = [...requests];
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const answer = await send(next).catch(() => null);
      // The server is gone.
      if (answer === null) return;
      answers.set(next, answer);
    }
  });
  await Promise.all(clients);
  return answers;
}

function kill(server: Serving, databaseOf: string | null): Promise<unknown> {
  const ended = server.stop('SIGKILL');
  if (databaseOf !== null) signalPostgres(databaseOf, 'SIGKILL');
  return ended;
}

interface Round {
  round: string;
  withDatabase: boolean;
  killAfter: number;
  pauseMs: number;
}

// Kill after different numbers of answers and different pauses, so that some requests were committed and not answered.
const ROUNDS: Round[] = [
  { round: 'service', withDatabase: false, killAfter: 40, pauseMs: 3 },
  { round: 'everything', withDatabase: true, killAfter: 110, pauseMs: 8 },
];

test('after kill -9 in the middle of 200 requests with an Idempotency-Key, a repeat of all stores each lead and each activity once', async (t) => {
  const folder = dataFolder(t);
  const environment = { OFFPLAN_DATA_DIR: folder, LOG_LEVEL: 'error' };
  const loaded = await offplan(['load', '-'], environment, JSON.stringify(accountFile('crash')));
  assert.equal(loaded.code, 0, loaded.stderr);
  const created = await offplan(
    ['keys', 'create', 'crash', '--access', 'read-write', '--name', 'load'],
    environment,
  );
  const apiKey = created.stdout.trim();

  let server = await serving(environment);
  const send = (request: Request) => post(server.url, apiKey, request);

  async function killInTheMiddle({ round, withDatabase, killAfter, pauseMs }: Round) {
    const requests = requestsOf(round);
    let answered = 0;
    let killed: Promise<unknown> | undefined;
    const first = await sendAll(async (request) => {
      const answer = await send(request);
      answered += 1;
      if (answered === killAfter)
        killed = sleep(pauseMs).then(() => kill(server, withDatabase ? folder : null));
      return answer;
    }, requests);
    await killed;
    assert.ok(first.size >= killAfter && first.size < REQUESTS, `${first.size} were answered`);
    for (const { status, text } of first.values()) assert.ok(status < 300, text);

    server = await serving(environment);
    const again = await sendAll(send, requests);
    assert.equal(again.size, REQUESTS);
    for (const [request, { status, text, replayed }] of again) {
      assert.ok(status < 300, text);
      const before = first.get(request);
      if (before) assert.deepEqual({ text, replayed }, { text: before.text, replayed: true });
    }
  }

  try {
    for (const round of ROUNDS) await killInTheMiddle(round);
    const { stdout } = await offplan(['export', 'crash'], environment);
    check((JSON.parse(stdout) as Exported).contacts);
  } finally {
    await server.stop();
  }
});

function check(contacts: Exported['contacts']): void {
  const expected = ROUNDS.flatMap(({ round }) => requestsOf(round)).flatMap(({ notes }) => notes);
  const emails = new Set(expected.map(({ email }) => email));
  assert.deepEqual(contacts.map(({ email }) => email).toSorted(), [...emails].toSorted());
  for (const { email, tags, activities, links } of contacts) {
    const notes = expected.filter((each) => each.email === email).map(({ note }) => note);
    assert.deepEqual(activities.map(({ body }) => body).toSorted(), notes.toSorted(), email);
    assert.deepEqual([tags.length, links.length], [1, 1], email);
  }
}
