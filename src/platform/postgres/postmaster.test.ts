import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findReason } from './postmaster.ts';

const prefix = '2026-11-21 10:18:59.320 UTC';

test('the reason is the server’s own FATAL, not what another one told its clients', () => {
  const lines = [
    `${prefix} [7] FATAL:  lock file "postmaster.pid" already exists`,
    `${prefix} [8] FATAL:  the database system is starting up`,
    `${prefix} [9] FATAL:  could not locate a valid checkpoint record`,
  ];
  assert.equal(findReason(lines, 7), 'FATAL:  lock file "postmaster.pid" already exists');
});

test('a FATAL of one of its processes is a reason, too, and so is what the shell or loader says', () => {
  const lines = [
    `${prefix} [9] FATAL:  could not locate a valid checkpoint record`,
    `${prefix} [7] LOG:  aborting startup due to startup process failure`,
    `${prefix} [8] FATAL:  the database system is starting up`,
  ];
  assert.equal(findReason(lines, 7), 'FATAL:  could not locate a valid checkpoint record');
  assert.equal(findReason(['postgres: cannot open x.so'], 7), 'postgres: cannot open x.so');
  assert.equal(findReason([''], undefined), 'it left no message');
});
