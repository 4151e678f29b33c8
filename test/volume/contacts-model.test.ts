import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { issueKey } from '../../src/keys/index.ts';
import { mergeContacts } from '../../src/contacts/index.ts';
import { newId, toEmailKey } from '../../src/platform/text/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import {
  addTo,
  archiveIn,
  EMPTY_WORLD,
  importInto,
  matching,
  mergeInto,
  type ModelLead,
  type ModelOutcome,
  type World,
} from '../support/contact-model.ts';
import { expectedState, stateOf, type State } from '../support/contact-state.ts';
import { step, type Step } from '../support/contact-steps.ts';
import { developerFile } from '../support/developer.ts';
import { build, type Answer } from '../support/harness.ts';
import { BATCH, idempotencyKey, sendTo, SINGLE } from '../support/imports.ts';
import { listColumns } from '../support/instances.ts';

/** `SEQUENCES=20000` runs more of them. */
const SEQUENCES = Number(process.env['SEQUENCES'] ?? 100);
const AT_ONCE = 4;

const service = await build({ after });
const { app, db } = service;
await service.load(developerFile('template'));
const template = await accountIdOf(db, { slug: 'template' });

const CONTACT_COLUMNS = (await listColumns(db, 'contacts')).join(', ');

const COPIED = ['accounts', 'account_revisions', 'users', 'projects', 'units'];
const copies = COPIED.map(
  (name) =>
    `insert into ${name} select (jsonb_populate_record(t, jsonb_build_object('account_id', $2::uuid))).*
      from ${name} t where account_id = $1`,
);
const COPY = `with ${copies.map((each, n) => `copy_${n} as (${each})`).join()} select`;

/** Makes an account, and a model of it that takes the same steps. */
async function newAccount() {
  const accountId = newId();
  await db.query({ name: 'copy', text: COPY, values: [template, accountId] });
  const key = await issueKey(db, accountId, { name: 'test', access: 'read-write' });
  let world: World = EMPTY_WORLD;
  /** The ids of the contacts, in the order in which the steps made them. */
  const ids: string[] = [];
  const log: State['log'] = [];
  const keyed: Extract<Step, { kind: 'import' }>[] = [];
  const kept = new Map<string, { request: string; answer: Answer }>();

  async function take(step: Step): Promise<void> {
    if (step.kind === 'import') return importing(step);
    if (step.kind === 'archive') return archive(step);
    if (step.kind === 'add') return add(step);
    if (step.kind === 'merge') return merge(step);
    const again = keyed.at(-1 - step.which);
    if (again) await importing(again);
  }

  async function importing(step: Extract<Step, { kind: 'import' }>): Promise<void> {
    const { leads, dryRun, key: name } = step;
    const isBatch = Array.isArray(leads);
    const path = isBatch ? BATCH : SINGLE;
    const text = JSON.stringify(isBatch ? { contacts: leads } : leads);
    const url = dryRun ? `${path}?dryRun=true` : path;
    const headers = name === null ? {} : idempotencyKey(name);
    const answer = await sendTo(app, { key }, text, { url, headers });
    const request = `${path} ${text}`;
    if (name !== null && !dryRun) {
      keyed.push(step);
      const first = kept.get(name);
      if (first) {
        const isRepeat = first.request === request;
        if (!isRepeat)
          logged(
            leads,
            [leads].flat().map(() => REUSED),
            text,
          );
        return compareRepeat(answer, isRepeat ? first.answer : null);
      }
      kept.set(name, { request, answer });
    }
    assert.equal(answer.headers['idempotent-replayed'], undefined);
    const { outcomes, after } = imported(leads);
    compare(answer, isBatch, outcomes, dryRun ? [...ids] : ids);
    if (dryRun) return;
    world = after;
    logged(leads, outcomes, text);
  }

  function imported(leads: ModelLead | ModelLead[]): { outcomes: ModelOutcome[]; after: World } {
    let after = world;
    const outcomes = [leads].flat().map((each) => {
      const { world: next, outcome } = importInto(after, each);
      after = next;
      return outcome;
    });
    return { outcomes, after };
  }

  function logged(leads: ModelLead | ModelLead[], outcomes: ModelOutcome[], text: string): void {
    const wordOf = (outcome: ModelOutcome) => ('code' in outcome ? 'refused' : outcome.action);
    const [first] = outcomes;
    if (!Array.isArray(leads)) log.push(['single', null, text, first ? wordOf(first) : '']);
    else if (leads.length === 0) log.push(['batch', null, null, 'refused']);
    else
      for (const [index, outcome] of outcomes.entries())
        log.push(['batch', index, JSON.stringify(leads[index]), wordOf(outcome)]);
  }

  async function archive(step: { email: string }): Promise<void> {
    const text = 'update contacts set archived_at = now() where account_id = $1 and email_key = $2';
    await db.query({ name: 'archive', text, values: [accountId, toEmailKey(step.email)] });
    world = archiveIn(world, step.email);
  }

  async function add(step: Extract<Step, { kind: 'add' }>): Promise<void> {
    const { fields, archived } = step;
    const email = step.email.trim();
    const id = newId();
    const row = {
      ...fields,
      account_id: accountId,
      id,
      version: 1,
      email,
      email_key: toEmailKey(email),
      archived_at: archived ? new Date() : null,
      created_at: new Date(),
      search_text: '',
      has_phone: false,
      has_tag: false,
      has_project: false,
      project_ids: [],
      has_unit: false,
    };
    const text = `insert into contacts (${CONTACT_COLUMNS})
      select ${CONTACT_COLUMNS} from jsonb_populate_record(null::contacts, $1)`;
    await db.query({ name: 'add', text, values: [row] });
    world = addTo(world, { email, fields, archived });
    ids.push(id);
  }

  async function merge(step: { email: string; keep: number }): Promise<void> {
    const same = matching(world, step.email).map(({ id }) => id);
    const keep = same[step.keep % same.length];
    if (keep === undefined || same.length < 2) return;
    const { world: after, report } = mergeInto(world, keep);
    const others = same.filter((id) => id !== keep).map((id) => ids[id] ?? '');
    const done = await mergeContacts(db, accountId, ids[keep] ?? '', others, { dryRun: false });
    const { filledFields, activated, moved } = done;
    // The model has no enquiries, which move, too.
    const { activities } = report.moved;
    assert.ok(moved.activities >= activities);
    assert.deepEqual({ filledFields, activated, moved: { ...moved, activities } }, report);
    world = after;
  }

  async function compareState(): Promise<void> {
    const { log: lines, ...state } = await stateOf(db, accountId);
    assert.deepEqual(state, expectedState(world, ids));
    assert.deepEqual(lines, log);
  }

  return { take, compareState };
}

const REUSED: ModelOutcome = { code: 'idempotency_key_reused', pointers: [], ids: [] };

function compareRepeat(answer: Answer, first: Answer | null): void {
  if (first === null) return assert.equal(answer.body.code, 'idempotency_key_reused', answer.text);
  assert.deepEqual([answer.status, answer.text], [first.status, first.text]);
  assert.equal(answer.headers['idempotent-replayed'], 'true');
}

/** Compares an answer with the model's outcomes. Adds the id of each new contact to `ids`. */
function compare(answer: Answer, isBatch: boolean, outcomes: ModelOutcome[], ids: string[]): void {
  const { status, body, text } = answer;
  if (isBatch && outcomes.length === 0)
    return assert.deepEqual([status, body.errors?.[0].pointer], [400, '/contacts'], text);
  const results = isBatch ? body.results : [body];
  assert.equal(results?.length, outcomes.length, text);
  for (const [index, expected] of outcomes.entries()) {
    const result = results[index];
    const problem = result.problem ?? result;
    if ('action' in expected && expected.action === 'created') {
      assert.ok(!ids.includes(result.contactId), text);
      ids.push(result.contactId);
    }
    assert.deepEqual(
      'code' in problem ? refusalOf(problem) : outcomeOf(result),
      said(expected, ids),
    );
    if (isBatch) assert.equal(result.index, index);
  }
  if (isBatch) assert.deepEqual([status, body.summary], [200, count(outcomes)]);
  else assert.equal(status, statusOf(outcomes[0]));
}

// The tests read bodies of every shape.
// eslint-disable-next-line typescript/no-explicit-any
type Body = any;

function refusalOf({ code, errors, matchingContactIds }: Body) {
  const pointers = (errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
  return { code, pointers, ids: matchingContactIds ?? [] };
}

function outcomeOf(result: Body) {
  const { action, contactId, email, matchedBy, filledFields } = result;
  const links = [result.linkedProjectId, result.linkedUnitId];
  return { action, id: contactId, email, matchedBy, filledFields, links };
}

function said(expected: ModelOutcome, ids: string[]) {
  if ('code' in expected) return { ...expected, ids: expected.ids.map((id) => ids[id]) };
  const matchedBy = expected.action === 'merged' ? 'email' : null;
  return { ...expected, id: ids[expected.id], matchedBy };
}

function count(outcomes: ModelOutcome[]) {
  const summary = { created: 0, merged: 0, refused: 0 };
  for (const each of outcomes) summary['code' in each ? 'refused' : each.action] += 1;
  return summary;
}

const STATUSES: Record<string, number> = {
  created: 201,
  merged: 200,
  invalid_request: 400,
  duplicate_contacts: 409,
};

function statusOf(outcome: ModelOutcome | undefined): number {
  const word = outcome && ('code' in outcome ? outcome.code : outcome.action);
  return STATUSES[word ?? ''] ?? 422;
}

/*
 * On failure fast-check prints the shortest failing sequence, with a seed and a path. To run that sequence again, pass
 * { seed, path, numRuns: 1 } to `assert`.
 */
test(`an account stays equal to a small model through ${SEQUENCES} sequences of imports, dry runs, repeats, archivings and merges`, async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 3, maxLength: 12, size: 'max' }),
    async (steps) => {
      const account = await newAccount();
      for (const each of steps) await account.take(each);
      await account.compareState();
    },
  );
  const numRuns = SEQUENCES / AT_ONCE;
  await Promise.all(Array.from({ length: AT_ONCE }, () => fc.assert(property, { numRuns })));
});
