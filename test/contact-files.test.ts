import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { issueKey } from '../src/keys/index.ts';
import { FILES, importerOf, makeRows } from './support/contact-files.ts';
import { LIVE, NOWHERE, USER } from './support/developer.ts';
import { testAccountsOf } from './support/test-accounts.ts';
import { readEvents } from './support/event-log.ts';
import { runInTransaction } from '../src/platform/database/index.ts';
import { PROBLEMS, type ProblemCode } from '../src/platform/http/index.ts';
import { build, type Answer } from './support/harness.ts';
import { sweep } from './support/internals.ts';
import { RETENTION } from './support/retention.ts';
import {
  endWaiting,
  someoneWaits,
  statementWaits,
  waitingForLocks,
  whileLocked,
} from './support/locks.ts';
import { run } from './support/sql.ts';
import { until } from './support/until.ts';

const service = await build({ after });
const { db } = service;
const makeAccount = testAccountsOf(service);

async function open() {
  const account = await makeAccount();
  return { ...account, ...(await importerOf(service, account)) };
}

function assertRefused({ status, body, text }: Answer, code: ProblemCode): void {
  assert.deepEqual([status, body.code], [PROBLEMS[code].status, code], text);
}

const HEADER = 'Full name,Work email,Source,Fax';
const FILE = `\uFEFF${HEADER}
Mereana Pou,mereana.pou@example.com,Website,1
Tama Reihana,tama@example.com,Website,=1+1
"Nobody, really",not an email,Website,=HYPERLINK("x")
Tama again,TAMA@example.com,Website,
`;

const EMAIL_FAULT = 'email must be an email address such as aroha@example.com: it has no @.';

const countOf = async (table: string, accountId: string): Promise<number> => {
  const { rows } = await run(db, `select count(*)::int as n from ${table} where account_id = $1`, [
    accountId,
  ]);
  return (rows[0] as { n: number }).n;
};

describe('a file of contacts', () => {
  test('is uploaded, checked, tried, imported and reported', async () => {
    const { upload, waitFor, importAll, get, accountId } = await open();
    const { status, body, headers } = await upload(FILE, { name: '../../expo "26".csv' });
    assert.equal(status, 201);
    assert.equal(headers['location'], `${FILES}/${body.id}`);
    assert.equal(headers['etag'], body.etag);
    assert.deepEqual(
      [body.name, body.status, body.bytes, body.rows, body.run, body.actor.name],
      ['expo "26".csv', 'checking', Buffer.byteLength(FILE), null, null, 'importer'],
    );
    const ready = await waitFor(body.id, 'ready');
    assert.deepEqual([ready.rows, ready.format, ready.problem], [4, 'csv', null]);
    assert.deepEqual(ready.columns, [
      {
        header: 'Full name',
        samples: ['Mereana Pou', 'Tama Reihana', 'Nobody, really'],
        field: 'name',
      },
      {
        header: 'Work email',
        samples: ['mereana.pou@example.com', 'tama@example.com', 'not an email'],
        field: 'email',
      },
      { header: 'Source', samples: ['Website'], field: 'source' },
      { header: 'Fax', samples: ['1', '=1+1', '=HYPERLINK("x")'], field: null },
    ]);

    const counts = { rowsRead: 4, created: 2, merged: 1, refused: 1 };
    const tried = await importAll(body.id, { dryRun: true });
    assert.equal(tried.status, 'ready');
    const { startedAt, endedAt, reasons, remarks, ...run } = tried.run;
    assert.deepEqual(run, { dryRun: true, options: {}, ...counts });
    assert.deepEqual(reasons, [{ code: 'invalid_request', detail: EMAIL_FAULT, count: 1 }]);
    assert.deepEqual(remarks, []);
    assert.ok(startedAt <= endedAt);
    assert.equal(await countOf('imports', accountId), 0);
    const { text: triedReport } = await get(`/contact-files/${body.id}/report.csv`);

    const done = await importAll(body.id, { set: { tags: ['Expo'], projectId: LIVE } });
    assert.equal(done.status, 'completed');
    assert.partialDeepStrictEqual(done.run, { dryRun: false, ...counts, reasons });
    assert.deepEqual(done.run.options, { set: { tags: ['Expo'], projectId: LIVE } });
    assert.deepEqual(done.columns[0], { header: 'Full name', samples: [], field: 'name' });
    assert.equal(await countOf('contact_file_chunks', accountId), 0);
    assert.equal(await countOf('contact_file_refusals', accountId), 0);

    const { body: found } = await get('/contacts?q=mereana&include=links');
    assert.equal(found.data.length, 1);
    const [contact] = found.data;
    assert.deepEqual(
      contact.tags.map(({ label }: { label: string }) => label),
      ['Expo'],
    );
    assert.deepEqual(
      contact.links.map(({ projectId }: { projectId: string }) => projectId),
      [LIVE],
    );

    const report = await get(`/contact-files/${body.id}/report.csv`);
    assert.equal(report.status, 200);
    assert.match(String(report.headers['content-type']), /^text\/csv/);
    assert.equal(
      report.headers['content-disposition'],
      "attachment; filename*=UTF-8''expo%20%2226%22%20-%20refused%20rows.csv",
    );
    assert.equal(triedReport, report.text);
    const [head, row] = report.text.split('\n');
    assert.equal(head, `\uFEFFoffplan_row,offplan_code,offplan_reason,${HEADER}`);
    assert.match(
      row ?? '',
      /^4,invalid_request,"?email .*,"Nobody, really",not an email,Website,"?'=HYPERLINK/,
    );

    const { body: log } = await get(`/imports?file=${body.id}&outcome=refused`);
    assert.equal(log.data.length, 1);
    assert.deepEqual([log.data[0].row, log.data[0].actor.name], [4, 'importer']);
    const { body: events } = await get('/events?types=contact_file.*');
    assert.deepEqual(
      events.data.map(({ type, data, actor }: Event) => [
        type,
        data['id'],
        data['created'],
        actor.type,
      ]),
      [['contact_file.completed', body.id, 2, 'key']],
    );
  });

  test('is corrected by its report, whose rows settle the refused ones', async () => {
    const { uploadReady, importAll, get } = await open();
    const { id } = await uploadReady(FILE);
    await importAll(id);
    const { text } = await get(`/contact-files/${id}/report.csv`);
    const again = await uploadReady(text.replace('not an email', 'somebody@example.com'));
    assert.deepEqual([again.status, again.rows], ['ready', 1]);
    assert.equal(again.columns[4].header, 'Work email');
    const { run: counts } = await importAll(again.id);
    assert.deepEqual([counts.created, counts.refused], [1, 0]);
    assert.deepEqual((await get('/imports?open=true')).body.data, []);
    const { body: log } = await get(`/imports?file=${id}&outcome=refused`);
    assert.equal(log.data[0].settlement, 'replaced');
    const contact = await get(`/contacts/${log.data[0].contactId}`);
    assert.equal(contact.body.email, 'somebody@example.com');
  });

  test('shows a refused row as a lead; corrected, it keeps its date, its stage and its other cells', async () => {
    const { uploadReady, importAll, get, post } = await open();
    const { id: file } = await uploadReady(
      'Name,Email,Created,Stage,Home phone,Work phone\nTama,no email,24/03/2026,Qualified,09 555 0151,09 555 0152\n',
    );
    await importAll(file, { set: { tags: ['Expo'] } });
    const { body: log } = await get(`/imports?file=${file}`);
    const { id } = log.data[0];
    const { body: row } = await get(`/imports/${id}`);
    assert.deepEqual(row.lead, {
      name: 'Tama',
      email: 'no email',
      phone: '09 555 0151',
      tags: ['Expo'],
    });
    const payload = { ...row.lead, email: 'tama@example.com' };
    const { body: retried } = await post(`/imports/${id}/retry`, { payload });
    assert.equal(retried.settlement, 'retried');
    const { body: contact } = await get(`/contacts/${retried.contactId}?include=activities`);
    assert.deepEqual(
      [contact.stage, contact.createdAt.slice(0, 4), contact.tags[0].label],
      ['Qualified', '2026', 'Expo'],
    );
    assert.match(contact.activities[0].body, /Work phone: 09 555 0152/);
  });

  test('says in its dry run which values would be left out or taken otherwise', async () => {
    const { uploadReady, importAll } = await open();
    const { id } = await uploadReady(
      'Email,Stage,Buyer type,Agent,Mobile\na@example.com,Lead,Owner Occupier,Nobody,2.1555E+08\nb@example.com,Lead,,,\n',
    );
    const { run: tried } = await importAll(id, { dryRun: true });
    assert.equal(tried.remarks.length, 4);
    assert.equal(tried.remarks[0].count, 2);
    assert.match(tried.remarks[0].detail, /^stage "Lead" is not one of New, .*\.$/);
    const details = tried.remarks.map(({ detail }: { detail: string }) => detail).join('\n');
    assert.match(details, /owner "Nobody"/);
    assert.match(details, /buyerType "Owner Occupier" becomes Other\./);
    assert.match(details, /such as 2\.1555E\+08/);
    const { run: imported } = await importAll(id);
    assert.equal(imported.dryRun, false);
    assert.deepEqual(imported.remarks, tried.remarks);
  });

  test('says nothing of a dry run after an import with other options', async () => {
    const { uploadReady, importAll } = await open();
    const { id } = await uploadReady('Email,Stage\na@example.com,Lead\n');
    assert.equal((await importAll(id, { dryRun: true })).run.remarks.length, 1);
    const { run } = await importAll(id, { mapping: { Stage: null } });
    assert.deepEqual(run.remarks, []);
  });

  test('needs a column of emails, which the mapping can name', async () => {
    const { uploadReady, post, importAll, get } = await open();
    const ready = await uploadReady('Kontakt,Who\nann@example.com,Ann\n');
    assert.deepEqual([ready.status, ready.columns[0].field], ['ready', null]);
    assert.deepEqual(
      [ready.problem.code, ready.problem.detail],
      ['mapping_incomplete', 'No column is the email; say which in mapping.'],
    );
    const path = `/contact-files/${ready.id}/start`;
    assertRefused(await post(path), 'mapping_incomplete');
    assertRefused(await post(path, { mapping: { Kontakt: null } }), 'mapping_incomplete');
    assertRefused(await post(path, { mapping: { Nothing: 'email' } }), 'invalid_request');
    assertRefused(await post(path, { mapping: { Kontakt: 'shoe size' } }), 'invalid_request');
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [index, null]));
    const { body: refused } = await post(path, { mapping: many });
    assert.equal(refused.detail, 'mapping must have at most 1000 members.');
    await importAll(ready.id, {
      mapping: { kontakt: 'email', Who: 'name' },
      set: { source: 'Referral' },
    });
    const { body } = await get('/contacts');
    assert.deepEqual(
      body.data.map(({ email, name, source }: Record<string, string>) => [email, name, source]),
      [['ann@example.com', 'Ann', 'Referral']],
    );
  });

  test('shows after each dry run the rows that this one refused, by their reasons', async () => {
    const { uploadReady, importAll, get, accountId } = await open();
    const { id } = await uploadReady('email,source email\nx,a@example.com\ny,b@example.com\n,c\n');
    const { run: first } = await importAll(id, { dryRun: true });
    assert.deepEqual(
      first.reasons.map(({ count }: { count: number }) => count),
      [2, 1],
    );
    const mapping = { email: null, 'source email': 'email' };
    const { run: second } = await importAll(id, { dryRun: true, mapping });
    assert.deepEqual([second.refused, second.reasons[0].count], [1, 1]);
    const { text } = await get(`/contact-files/${id}/report.csv`);
    assert.equal(text.split('\n').length, 3);
    assert.match(text, /\n4,invalid_request,/);
    assert.equal(await countOf('contact_file_refusals', accountId), 1);
  });

  test('takes no values that would refuse every row', async () => {
    const { uploadReady, post, importAll, get } = await open();
    const { id } = await uploadReady(makeRows(2));
    const path = `/contact-files/${id}/start`;
    const project = await post(path, { set: { projectId: NOWHERE } });
    assertRefused(project, 'project_not_available');
    assert.equal(project.body.errors[0].pointer, '/set/projectId');
    const user = await post(path, { set: { assignedAccountUserId: NOWHERE } });
    assertRefused(user, 'user_not_active');
    const tags = await post(path, { set: { tags: ['x'.repeat(101)] } });
    assertRefused(tags, 'invalid_request');
    assert.deepEqual(tags.body.errors, [
      { pointer: '/set/tags', detail: 'set.tags must have labels of at most 100 characters.' },
    ]);
    await importAll(id, { set: { assignedAccountUserId: USER, source: '  ' } });
    const { body } = await get('/contacts?assignedTo=none');
    assert.deepEqual(body.data, []);
  });

  test('is started once, and again only by the same Idempotency-Key', async () => {
    const { uploadReady, post, waitFor } = await open();
    const { id } = await uploadReady(makeRows(2));
    const path = `/contact-files/${id}/start`;
    const key = { 'idempotency-key': 'one' };
    const first = await post(path, {}, key);
    assert.equal(first.status, 202);
    assertRefused(await post(path), 'file_not_ready');
    const repeat = await post(path, {}, key);
    assert.deepEqual(
      [repeat.status, repeat.headers['idempotent-replayed'], repeat.body],
      [202, 'true', first.body],
    );
    await waitFor(id, 'completed');
    assertRefused(await post(path), 'file_not_ready');
  });

  test('is read in the encoding of its charset, below a title, and as NDJSON', async () => {
    const { uploadReady, importAll, get } = await open();
    const latin = Buffer.from('Leads of May\n\nName;E-mail\nZo\xEB;zoe@example.com\n', 'latin1');
    const refused = await uploadReady(latin);
    assert.equal(refused.status, 'refused');
    assert.equal(refused.problem.code, 'file_unreadable');
    assert.match(
      refused.problem.detail,
      /^Line 4 is not UTF-8; send its charset, as in Content-Type/,
    );
    const ready = await uploadReady(latin, { type: 'text/csv; charset=windows-1252' });
    assert.deepEqual([ready.status, ready.rows], ['ready', 1]);
    await importAll(ready.id);
    const lines = '{"email":"aroha@example.com","name":"Aroha","shoe":44}\n{"email":"x"}\n{\n';
    const ndjson = await uploadReady(lines, { type: 'application/x-ndjson', name: 'leads.jsonl' });
    assert.deepEqual([ndjson.format, ndjson.rows], ['ndjson', 3]);
    assert.deepEqual(ndjson.columns, [
      { header: 'email', samples: ['aroha@example.com', 'x'], field: 'email' },
      { header: 'name', samples: ['Aroha'], field: 'name' },
      { header: 'shoe', samples: ['44'], field: null },
    ]);
    const done = await importAll(ndjson.id);
    assert.deepEqual([done.run.created, done.run.refused], [1, 2]);
    const report = await get(`/contact-files/${ndjson.id}/report.csv`);
    assert.match(
      report.text,
      /^\uFEFFoffplan_row,offplan_code,offplan_reason,offplan_text\n2,.*"\{""email"":""x""\}"\n3,/,
    );
    const { body } = await get('/contacts?sort=name');
    assert.deepEqual(
      body.data.map(({ name }: { name: string }) => name),
      ['Aroha', 'Zoë'],
    );
  });

  test('may have a line of NDJSON that is nested deep', async () => {
    const { uploadReady, importAll } = await open();
    const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
    const line = `{"email":"aroha@example.com","x":${deep}}`;
    const { id } = await uploadReady(line, { type: 'application/x-ndjson', name: 'leads.jsonl' });
    assert.equal((await importAll(id)).run.created, 1);
  });

  test('is an export of contacts as NDJSON: their values, tags and archives arrive in another account', async () => {
    const SHOWN = ['email', 'name', 'phone', 'budget', 'stage', 'source', 'createdAt', 'tags'];
    const readAll = async ({ get }: Awaited<ReturnType<typeof open>>): Promise<unknown[]> =>
      (await get('/contacts?archived=any&sort=name')).body.data.map((contact: object) => {
        const { archivedAt, ...shown } = contact as Record<string, unknown>;
        const tags = (shown['tags'] as { label: string }[]).map(({ label }) => label);
        return [
          ...SHOWN.map((name) => (name === 'tags' ? tags : shown[name])),
          archivedAt !== null,
        ];
      });
    const [from, to] = [await open(), await open()];
    const key = await issueKey(db, from.accountId, { name: 'out', scopes: ['contacts:export'] });
    const lines = [
      '{"email":"ana@example.com","name":"Ana","budget":750000.5,"tags":["Spring, early","=1"]}',
      '{"email":"tama@example.com","name":"Tama","phone":"\'0800","archived":"yes","tags":[]}',
    ];
    const type = 'application/x-ndjson';
    await from.importAll((await from.uploadReady(lines.join('\n'), { type })).id);
    const exported = await service.send({
      url: '/api/v1/exports/contacts?archived=any&format=ndjson',
      key,
    });
    const { id, rows } = await to.uploadReady(exported.text, { type });
    assert.equal(rows, 2);
    const { run: done } = await to.importAll(id);
    assert.deepEqual([done.created, done.refused], [2, 0], JSON.stringify(done));
    assert.deepEqual(await readAll(to), await readAll(from));
  });

  test('says that its dates can be read in two ways, and takes their order', async () => {
    const { uploadReady, importAll } = await open();
    const ready = await uploadReady('email,created at\nann@example.com,03/04/2025\n');
    assert.deepEqual([ready.status, ready.problem.code], ['ready', 'mapping_incomplete']);
    assert.match(ready.problem.detail, /dateOrder dmy \(day first\) or dateOrder mdy/);
    const unclear = await importAll(ready.id);
    assert.deepEqual([unclear.status, unclear.problem.code], ['ready', 'mapping_incomplete']);
    for (const { problem } of [ready, unclear])
      assert.equal(problem.errors[0].pointer, '/dateOrder');
    const done = await importAll(ready.id, { dateOrder: 'dmy' });
    assert.deepEqual([done.status, done.problem], ['completed', null]);
  });

  test('that is no file of contacts is refused with its reason', async () => {
    const { uploadReady, post, remove, get } = await open();
    for (const [payload, reason] of [
      ['', /empty/],
      ['PK\x03\x04 zip', /spreadsheet/],
      ['name,email\n"open,ann@example.com\n', /quote that is never closed/],
      ['ann@example.com,Ann\n', /must name the columns/],
    ] as const) {
      const { id, status, problem } = await uploadReady(payload);
      assert.equal(status, 'refused');
      assert.match(problem.detail, reason);
      assertRefused(await post(`/contact-files/${id}/start`), 'file_not_ready');
      assert.equal((await remove(`/contact-files/${id}`)).status, 204);
    }
    assert.deepEqual((await get('/contact-files')).body.data, []);
  });

  test('is undone: contacts that nothing else touched go, others and older ones stay', async () => {
    const { uploadReady, importAll, act, waitFor, get, lead, post, accountId } = await open();
    await lead({ email: 'lead0@example.com' });
    const { id } = await uploadReady(makeRows(4));
    const done = await importAll(id);
    assert.deepEqual([done.run.created, done.run.merged], [3, 1]);
    const { body: before } = await get('/contacts?q=lead1@example.com');
    await post(`/contacts/${before.data[0].id}/archive`);
    await act(id, 'undo');
    const undone = await waitFor(id, 'undone');
    assert.deepEqual(undone.undo, { removed: 2, kept: 1 });
    const { body } = await get('/contacts?archived=any');
    assert.deepEqual(body.data.map(({ email }: { email: string }) => email).toSorted(), [
      'lead0@example.com',
      'lead1@example.com',
    ]);
    const { body: rows } = await get(`/imports?file=${id}`);
    assert.deepEqual(
      rows.data.map(({ undoneAt }: { undoneAt: string | null }) => undoneAt !== null),
      [true, true, false, false],
    );
    assert.equal((await act(id, 'undo')).etag, undone.etag);
    assert.equal(await countOf('contact_file_chunks', accountId), 0);
    const { body: events } = await get('/events?types=contact_file.undone');
    assert.deepEqual(
      events.data.map(({ data }: Event) => [data['removed'], data['kept']]),
      [[2, 1]],
    );
  });

  test('that is tried creates one contact for rows with one email, however far apart they are', async () => {
    const { uploadReady, importAll } = await open();
    const { id } = await uploadReady(`${makeRows(1_200)}Again,LEAD0@example.com\n`);
    const { run: tried } = await importAll(id, { dryRun: true });
    assert.deepEqual([tried.created, tried.merged, tried.refused], [1_200, 1, 0]);
  });

  test('whose undo fails can be undone again, and not be continued', async () => {
    const { uploadReady, importAll, act, waitFor, post } = await open();
    const { id } = await uploadReady(makeRows(2));
    await importAll(id);
    // As if five processes had ended during the undo.
    await run(db, 'update contact_files set attempts = 5 where id = $1', [id]);
    await act(id, 'undo');
    const failed = await waitFor(id, 'failed');
    assert.equal(failed.problem.code, 'internal_error');
    assert.deepEqual(failed.undo, { removed: 0, kept: 0 });
    assertRefused(await post(`/contact-files/${id}/continue`), 'invalid_transition');
    await act(id, 'undo');
    assert.deepEqual((await waitFor(id, 'undone')).undo, { removed: 2, kept: 0 });
  });

  test('that is undone keeps a contact which a retried lead found since, although it changed nothing', async () => {
    const { developer, uploadReady, importAll, act, waitFor, get, post } = await open();
    const email = 'lead0@example.com';
    await developer.refused({ email, projectId: NOWHERE }, 'project_not_available', '/projectId');
    const { id } = await uploadReady(makeRows(2));
    await importAll(id);
    const [refused] = (await get('/imports?open=true')).body.data;
    const { body: retried } = await post(`/imports/${refused.id}/retry`, { payload: { email } });
    assert.deepEqual(retried.result.filledFields, []);
    await act(id, 'undo');
    assert.deepEqual((await waitFor(id, 'undone')).undo, { removed: 1, kept: 1 });
  });

  test('that is undone keeps a contact which a lead finds during the undo', async () => {
    const { uploadReady, importAll, act, waitFor, lead, accountId } = await open();
    const { id } = await uploadReady(makeRows(2));
    await importAll(id);
    await runInTransaction(db, async (tx) => {
      const text = 'select from accounts where account_id = $1 for no key update';
      await tx.query({ name: '', text, values: [accountId] });
      await act(id, 'undo');
      await someoneWaits(db);
      await lead({ email: 'lead0@example.com' });
    });
    assert.deepEqual((await waitFor(id, 'undone')).undo, { removed: 1, kept: 1 });
  });

  test('is stopped between two chunks, and goes on where it stopped', async () => {
    const { uploadReady, act, waitFor, get, post, remove, accountId } = await open();
    const { id } = await uploadReady(makeRows(3_000));
    assertRefused(await post(`/contact-files/${id}/stop`), 'invalid_transition');
    assertRefused(await post(`/contact-files/${id}/continue`), 'invalid_transition');
    assertRefused(await post(`/contact-files/${id}/undo`), 'invalid_transition');
    await act(id, 'start');
    await waitFor(id, 'running');
    assertRefused(await remove(`/contact-files/${id}`), 'invalid_transition');
    await act(id, 'stop');
    const stopped = await waitFor(id, 'stopped');
    assert.ok(stopped.run.rowsRead < 3_000, `${stopped.run.rowsRead} rows`);
    assert.equal(await countOf('imports', accountId), stopped.run.rowsRead);
    assert.equal((await act(id, 'stop')).etag, stopped.etag);
    await act(id, 'continue');
    const done = await waitFor(id, 'completed');
    assert.partialDeepStrictEqual(done.run, {
      rowsRead: 3_000,
      created: 3_000,
      merged: 0,
      refused: 0,
    });
    assert.equal(await countOf('imports', accountId), 3_000);
    assert.equal(await countOf('contacts', accountId), 3_000);
    const { rows: ends } = await run(
      db,
      `select type from events where account_id = $1 and type like 'contact_file%' order by sequence`,
      [accountId],
    );
    assert.deepEqual(ends, [{ type: 'contact_file.stopped' }, { type: 'contact_file.completed' }]);
    assert.equal((await remove(`/contact-files/${id}`)).status, 204);
    assertRefused(await get(`/contact-files/${id}`), 'contact_file_not_found');
    assert.equal(await countOf('contacts', accountId), 3_000);
  });

  test('is stopped also while a person is erased', async () => {
    const { uploadReady, act, accountId } = await open();
    const [first, second] = [await uploadReady(makeRows(1)), await uploadReady(makeRows(1))];
    const lease = `update contact_files set status = 'running', lease = id, lease_until = $2 where id = $1`;
    await run(db, lease, [first.id, new Date(Date.now() + 3_600_000)]);
    await act(second.id, 'start');
    // An erasure locks the revision, then the files. The stop waits for the revision, and must not have locked the file.
    const { stopping } = await runInTransaction(db, async (tx) => {
      const values = [accountId];
      const raise = 'update account_revisions set revision = revision where account_id = $1';
      await tx.query({ name: '', text: raise, values });
      const sent = act(second.id, 'stop');
      await someoneWaits(db);
      const lockFiles = 'select from contact_files where account_id = $1 for update nowait';
      await tx.query({ name: '', text: lockFiles, values });
      return { stopping: sent };
    });
    assert.equal((await stopping).status, 'stopped');
  });

  test('that is stopped while it waits for another one has ended, and can go on', async () => {
    const { uploadReady, act, waitFor, accountId } = await open();
    const [first, second] = [
      await uploadReady(makeRows(1, 'a')),
      await uploadReady(makeRows(2, 'b')),
    ];
    // Another process imports the first one.
    await run(
      db,
      `update contact_files set status = 'running', lease = id, lease_until = now() + interval '1 hour'
        where id = $1`,
      [first.id],
    );
    assert.equal((await act(second.id, 'start')).status, 'queued');
    const stopped = await act(second.id, 'stop');
    assert.deepEqual([stopped.status, stopped.run.rowsRead], ['stopped', 0]);
    assert.notEqual(stopped.run.endedAt, null);
    const events = await readEvents(db, accountId);
    const [event, ...others] = events.filter(({ type }) => type.startsWith('contact_file.'));
    assert.deepEqual([event?.type, event?.subject], ['contact_file.stopped', second.id]);
    assert.equal(others.length, 0);
    assert.partialDeepStrictEqual(event?.data, { created: 0, merged: 0, refused: 0 });
    await run(db, 'update contact_files set lease_until = now() where id = $1', [first.id]);
    await waitFor(first.id, 'completed', 'failed');
    await act(second.id, 'continue');
    const done = await waitFor(second.id, 'completed');
    assert.equal(done.run.created, 2);
  });

  test('whose import loses its connections to the database is imported later, and the service goes on', async () => {
    const { uploadReady, act, waitFor } = await open();
    const { id } = await uploadReady('Email,Owner\nhana@example.com,\n');
    await whileLocked(db, 'projects', async () => {
      await act(id, 'start');
      await someoneWaits(db, 2);
      await endWaiting(db);
    });
    await run(db, 'update contact_files set lease_until = now() where id = $1', [id]);
    // The process that gets a file looks for others.
    await uploadReady(makeRows(1));
    assert.equal((await waitFor(id, 'completed')).run.created, 1);
  });

  test('of two in an account is imported after the other, while another account goes on', async () => {
    const [ours, theirs] = [await open(), await open()];
    const files = [];
    for (const name of ['a', 'b', 'c']) files.push(await ours.uploadReady(makeRows(300, name)));
    const other = await theirs.uploadReady(makeRows(300));
    await Promise.all(files.map(({ id }) => ours.act(id, 'start')));
    const theirDone = theirs.importAll(other.id);
    const done = await Promise.all(files.map(({ id }) => ours.waitFor(id, 'completed')));
    const times = done
      .map(({ run: { startedAt, endedAt } }) => `${startedAt} ${endedAt}`)
      .toSorted();
    for (const [index, time] of times.entries()) {
      const [, endedBefore = ''] = times[index - 1]?.split(' ') ?? [];
      assert.ok(time > endedBefore, times.join('\n'));
    }
    assert.equal((await theirDone).run.created, 300);
    assert.equal(await countOf('contacts', ours.accountId), 900);
  });

  test('is checked while another file of the account is imported', async () => {
    const { uploadReady, accountId } = await open();
    const { id } = await uploadReady(makeRows(3));
    // Another process imports it.
    await run(
      db,
      `update contact_files set status = 'running', lease = id, lease_until = now() + interval '1 hour'
        where account_id = $1 and id = $2`,
      [accountId, id],
    );
    assert.equal((await uploadReady(makeRows(5, 'b'))).rows, 5);
  });

  test('loses its bytes and samples when a person in it is erased', async () => {
    const { uploadReady, importAll, accountId, lead, person, show } = await open();
    const contactId = await lead({ email: 'lead1@example.com' });
    const ready = await uploadReady(makeRows(3).replace('lead1@', ' LEAD1@'));
    const other = await uploadReady(makeRows(3, 'other'));
    const tried = await uploadReady(makeRows(3).replace('lead2@', 'lead1@x lead2@'));
    await importAll(tried.id, { dryRun: true });
    assert.equal(await countOf('contact_file_refusals', accountId), 1);
    const owner = await person('owner');
    const erased = await owner.remove(`/contacts/${contactId}`);
    assert.equal(erased.status, 204, erased.text);
    const file = await show(ready.id);
    assert.deepEqual([file.status, file.columns], ['refused', []]);
    assert.match(file.problem.detail, /was erased/);
    assert.equal((await show(other.id)).status, 'ready');
    assert.equal(await countOf('contact_file_chunks', accountId), 1);
    assert.equal(await countOf('contact_file_refusals', accountId), 0);
  });

  test('is refused when a person in it is erased while it is checked and another file is imported', async () => {
    const { uploadReady, lead, person, show } = await open();
    const contactId = await lead({ email: 'lead1@example.com' });
    const [imported, checked] = [
      await uploadReady(makeRows(1, 'b')),
      await uploadReady(makeRows(3)),
    ];
    // Another process works on both.
    for (const [status, { id }] of [
      ['running', imported],
      ['checking', checked],
    ] as const)
      await run(
        db,
        `update contact_files set status = $1, lease = id, lease_until = now() + interval '1 hour' where id = $2`,
        [status, id],
      );
    const owner = await person('owner');
    const { status, text } = await owner.remove(`/contacts/${contactId}`);
    assert.equal(status, 204, text);
    assert.equal((await show(checked.id)).status, 'refused');
    assert.equal((await show(imported.id)).status, 'running');
  });

  test('is refused also when the email of the erased person is in two chunks of its bytes', async () => {
    const { uploadReady, lead, person, show, accountId } = await open();
    const email = 'person@example.com';
    const contactId = await lead({ email });
    const before = makeRows(7_000);
    const name = 'x'.repeat(256 * 1024 - before.length - email.indexOf('@') - 1);
    const { id } = await uploadReady(`${before}${name},${email}\n`);
    assert.equal(await countOf('contact_file_chunks', accountId), 2);
    const owner = await person('owner');
    assert.equal((await owner.remove(`/contacts/${contactId}`)).status, 204);
    assert.equal((await show(id)).status, 'refused');
  });

  test('stays when the email of the erased person is only a part of another one, wherever its bytes are cut', async () => {
    const { uploadReady, lead, person, show, accountId } = await open();
    const contactId = await lead({ email: 'ana@example.com' });
    const ids: string[] = [];
    for (const [email, length] of [
      ['ana@example.com.au', 15],
      ['jo.ana@example.com', 1_003],
      ['ana-lee@example.com', 3],
    ] as const) {
      // The first chunk ends after so many characters from the beginning of the email.
      const rest = `,${email},${'y'.repeat(2_000)}\n`;
      const before = makeRows(7_000);
      const name = 'x'.repeat(256 * 1024 - before.length - 1 - length);
      ids.push((await uploadReady(`${before}${name}${rest}`)).id);
    }
    assert.equal(await countOf('contact_file_chunks', accountId), 6);
    const owner = await person('owner');
    assert.equal((await owner.remove(`/contacts/${contactId}`)).status, 204);
    for (const id of ids) assert.equal((await show(id)).status, 'ready');
  });

  test('is refused also when it is in UTF-16, which only its byte order mark tells', async () => {
    const { uploadReady, lead, person, show } = await open();
    const contactId = await lead({ email: 'lead1@example.com' });
    const { id, rows } = await uploadReady(Buffer.from(`\uFEFF${makeRows(2)}`, 'utf16le'));
    assert.equal(rows, 2);
    const owner = await person('owner');
    assert.equal((await owner.remove(`/contacts/${contactId}`)).status, 204);
    assert.equal((await show(id)).status, 'refused');
  });

  test('keeps no row that a dry run refuses while the person in it is erased', async () => {
    const { uploadReady, act, lead, person, accountId, show } = await open();
    const email = 'lead1@example.com';
    const contactId = await lead({ email });
    const owner = await person('owner');
    const view = { resource: 'contacts', name: 'Lead', filter: { q: email } };
    const { status, text } = await owner.post('/views', view);
    assert.equal(status, 201, text);
    const { id } = await uploadReady(`name,email\n${email},nobody\n`);
    const { erasing } = await runInTransaction(db, async (tx) => {
      const own = 'select from views where account_id = $1 for update';
      await tx.query({ name: '', text: own, values: [accountId] });
      let sent: Promise<Answer> | undefined;
      // The dry run waits with its lease until the erasure has locked the file.
      await whileLocked(db, 'contact_file_refusals', async () => {
        await act(id, 'start', { dryRun: true });
        await someoneWaits(db);
        sent = owner.remove(`/contacts/${contactId}`);
        await someoneWaits(db, 2);
      });
      await statementWaits(db, 'insert into contact_file_refusals');
      return { erasing: sent };
    });
    assert.equal((await erasing)?.status, 204);
    assert.equal((await show(id)).status, 'refused');
    await until(async () => (await waitingForLocks(db)) === 0);
    assert.equal(await countOf('contact_file_refusals', accountId), 0);
  });

  test('is refused when a person in it is erased while it arrives', async () => {
    const { key, accountId, lead, person, show } = await open();
    const contactId = await lead({ email: 'lead1@example.com' });
    const owner = await person('owner');
    const first = makeRows(20_000);
    async function* parts() {
      yield Buffer.from(first);
      await until(async () => (await countOf('contact_file_chunks', accountId)) > 0);
      assert.equal((await owner.remove(`/contacts/${contactId}`)).status, 204);
      yield Buffer.from(first);
    }
    const { status, body, text } = await service.send({
      method: 'POST',
      url: `${FILES}?name=leads.csv`,
      headers: { 'content-type': 'text/csv' },
      payload: Readable.from(parts()),
      key,
    });
    assert.equal(status, 201, text);
    assert.equal(body.status, 'refused');
    assert.match((await show(body.id)).problem.detail, /was erased/);
    assert.equal(await countOf('contact_file_chunks', accountId), 0);
  });

  test('that is deleted before its upload is answered is a 201 all the same', async () => {
    const { upload, accountId } = await open();
    let uploading: Promise<Answer> | undefined;
    await whileLocked(db, 'users', async () => {
      uploading = upload(makeRows(1));
      await someoneWaits(db);
      await run(db, `delete from contact_files where account_id = $1 and status <> 'uploading'`, [
        accountId,
      ]);
    });
    const { status, body, text } = (await uploading) ?? assert.fail();
    assert.equal(status, 201, text);
    assert.equal(body.status, 'checking');
  });

  test('holds up no lead while it is searched for a person who is erased', async () => {
    const { uploadReady, lead, person, show } = await open();
    const contactId = await lead({ email: 'lead1@example.com' });
    const { id } = await uploadReady(makeRows(3));
    const owner = await person('owner');
    let erasing: Promise<Answer> | undefined;
    let isImported = false;
    await whileLocked(db, 'contact_file_chunks', async () => {
      erasing = owner.remove(`/contacts/${contactId}`);
      await someoneWaits(db);
      void lead({ email: 'other@example.com' }).then(() => (isImported = true));
      await until(() => isImported);
    });
    assert.equal((await erasing)?.status, 204);
    assert.equal((await show(id)).status, 'refused');
  });

  test('is swept: soon when it is not imported, with the import log when it is', async () => {
    const { uploadReady, importAll, get, accountId } = await open();
    const [waiting, done] = [await uploadReady(makeRows(1)), await uploadReady(makeRows(1))];
    await importAll(done.id);
    const sweepIn = (days: number) =>
      sweep(db, RETENTION, {
        now: new Date(Date.now() + days * 24 * 60 * 60 * 1000),
        onError: assert.fail,
      });
    const ids = async () =>
      (await get('/contact-files')).body.data.map(({ id }: { id: string }) => id);
    await sweepIn(6);
    assert.deepEqual(await ids(), [done.id, waiting.id]);
    await sweepIn(8);
    assert.deepEqual(await ids(), [done.id]);
    assert.equal(await countOf('contact_file_chunks', accountId), 0);
    await sweepIn(91);
    assert.deepEqual(await ids(), []);
  });

  test('is found in the list by its status, the newest first', async () => {
    const { uploadReady, importAll, get } = await open();
    const first = await uploadReady(makeRows(1));
    const second = await uploadReady(makeRows(1));
    await importAll(first.id);
    const ids = async (query = '') =>
      (await get(`/contact-files${query}`)).body.data.map(({ id }: { id: string }) => id);
    assert.deepEqual(await ids(), [second.id, first.id]);
    assert.deepEqual(await ids('?status=completed'), [first.id]);
    assert.deepEqual(await ids('?status=completed,ready&limit=1'), [second.id]);
    assertRefused(await get('/contact-files?status=lost'), 'invalid_request');
  });
});

interface Event {
  type: string;
  actor: { type: string };
  data: Record<string, unknown>;
}

describe('an upload', () => {
  test('of another type is a 415, and a long one a 413', async () => {
    const { upload, accountId } = await open();
    assertRefused(await upload('{}', { type: 'application/json' }), 'unsupported_media_type');
    const odd = await upload('x', { type: 'text/csv; charset=klingon' });
    assertRefused(odd, 'unsupported_media_type');
    const long = Buffer.alloc(64 * 1024 * 1024 + 1, 'x');
    assertRefused(await upload(long), 'body_too_large');
    assert.equal(await countOf('contact_files', accountId), 0);
  });

  test('leaves no row of the file in the log of the service', async () => {
    const { uploadReady, importAll } = await open();
    const { id } = await uploadReady(
      makeRows(3, 'secretive').replace('secretive2@', 'secretive2 at '),
    );
    await importAll(id);
    assert.doesNotMatch(service.log.join(''), /secretive/);
  });

  test('is refused when the account has 20 files that are not imported', async () => {
    const { uploadReady, upload, remove } = await open();
    const files = [];
    for (let n = 0; n < 20; n += 1) files.push(await uploadReady('email\n'));
    assertRefused(await upload('email\n'), 'limit_reached');
    await remove(`/contact-files/${files[0].id}`);
    assert.equal((await upload('email\n')).status, 201);
  });
});
