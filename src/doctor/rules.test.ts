import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from './findings.ts';
import { judgeDeadRows, judgeSettings, judgeTransactions, judgeVersion } from './rules.ts';
import { judgeDisks, judgeReplication, type Replication } from './server-rules.ts';

const NOW = new Date('2026-10-01T00:00:00Z');
const GIB = 1024 ** 3;

/** Checks that a finding is a warning whose sentence and advice match. */
function assertWarns({ status, found, advice }: Finding, pattern: RegExp): void {
  assert.equal(status, 'warning', found);
  assert.match(`${found}. ${advice}`, pattern);
}

test('the version check warns of a PostgreSQL that is too old, loses its support soon, or is the first minor', () => {
  assertWarns(judgeVersion(140_012, NOW), /^PostgreSQL is 14\.12\. Upgrade PostgreSQL/);
  assertWarns(judgeVersion(180_000, NOW), /^PostgreSQL is 18\.0\. Install the latest minor/);
  const late = new Date('2027-08-01T00:00:00Z');
  assertWarns(judgeVersion(150_014, late), /no fixes from 2027-11-11 on\. Upgrade to a later/);
  assert.equal(judgeVersion(150_014, NOW).status, 'ok');
  assert.equal(judgeVersion(190_001, NOW).status, 'ok');
});

test('the settings check warns of default buffers for a large database', () => {
  const settings = {
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    isReadOnly: false,
  };
  const small = { ...settings, sharedBuffersBytes: GIB / 8, databaseBytes: 20 * GIB };
  assertWarns(judgeSettings(small), /^shared_buffers is 128 MB, and the database has 20 GB\. Set/);
  assert.equal(judgeSettings({ ...small, sharedBuffersBytes: 8 * GIB }).status, 'ok');
  assert.equal(judgeSettings({ ...small, databaseBytes: GIB / 2 }).status, 'ok');
  const unsafe = { ...small, fsync: 'off', fullPageWrites: 'off' };
  assertWarns(judgeSettings(unsafe), /^fsync and full_page_writes are off, so that/);
});

test('the check of dead rows warns when autovacuum does not keep up', () => {
  const table = { table: 'contacts', live: 1_000_000, isVacuumed: true };
  assert.equal(judgeDeadRows([{ ...table, dead: 400_000 }]).status, 'ok');
  assertWarns(judgeDeadRows([{ ...table, dead: 600_000 }]), /^contacts has 600,000 dead rows/);
  const off = { ...table, dead: 0, isVacuumed: false };
  assertWarns(judgeDeadRows([{ ...table, dead: 0 }, off]), /^autovacuum is off for contacts\. /);
  assertWarns(judgeDeadRows([off]), /^autovacuum is off\. Turn autovacuum on/);
});

test('the check of transactions names the oldest one', () => {
  const open = [
    { pid: 1, application: 'offplan', ageMs: 120_000 },
    { pid: 2, application: 'psql', ageMs: 7_200_000 },
  ];
  assertWarns(
    judgeTransactions(open, 1),
    /process 2 .*"psql"\) has been open for 120 minutes\. .*\(2\);$/,
  );
  assert.equal(judgeTransactions(open.slice(0, 1), 0).status, 'ok');
});

test('the check of replication warns of a standby, an unread slot, a failing archive, a missing and a late standby', () => {
  const calm: Replication = {
    isStandby: false,
    wanted: '',
    standbys: [],
    inactiveSlots: [],
    isArchiveFailing: false,
  };
  assert.equal(judgeReplication(calm).status, 'ok');
  assertWarns(judgeReplication({ ...calm, isStandby: true }), /is a standby.*follow the pri/);
  const slot = { ...calm, inactiveSlots: ['old'] };
  assertWarns(judgeReplication(slot), /slot old, so .*pg_drop_replication_slot\('old'\);$/);
  assertWarns(judgeReplication({ ...calm, isArchiveFailing: true }), /Fix archive_command/);
  assertWarns(judgeReplication({ ...calm, wanted: '*' }), /no synchronous standby is connected/);
  assertWarns(judgeReplication({ ...slot, wanted: '*' }), /until then every write waits\.$/);
  const late = { name: 'b', isHidden: false, isSynchronous: true, lagBytes: GIB };
  assertWarns(judgeReplication({ ...calm, wanted: '*', standbys: [late] }), /b is 1 GB behind/);
  const standbys = [{ ...late, lagBytes: 0 }];
  assert.equal(
    judgeReplication({ ...calm, standbys }).found,
    '1 standby is connected, 1 of them synchronous',
  );
});

test('the check of replication says that a role without pg_monitor does not see the state of the standbys', () => {
  const standbys = [{ name: 'b', isHidden: true, isSynchronous: false, lagBytes: 0 }];
  const settings = { isStandby: false, inactiveSlots: [], isArchiveFailing: false };
  const { status, found } = judgeReplication({ ...settings, wanted: '*', standbys });
  assert.equal(status, 'unknown', found);
  assert.match(found, /needs pg_monitor to see the standbys$/);
});

test('the check of the disk warns of less than a tenth or a gigabyte', () => {
  const disk = { folder: '/data', totalBytes: 100 * GIB, freeBytes: 50 * GIB };
  assert.equal(judgeDisks([disk]).status, 'ok');
  assertWarns(judgeDisks([disk, { ...disk, freeBytes: 9 * GIB }]), /\/data has 9 GB of 100 GB/);
  assertWarns(judgeDisks([{ ...disk, totalBytes: 4 * GIB, freeBytes: GIB / 2 }]), /512 MB of 4 GB/);
  const full = { folder: '/media', totalBytes: 40 * GIB, freeBytes: GIB };
  assertWarns(
    judgeDisks([{ ...disk, freeBytes: 9 * GIB }, full]),
    /\/data has 9 .*\/media has 1 GB/,
  );
});
