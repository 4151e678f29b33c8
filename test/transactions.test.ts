import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { runInTransaction, type Queryable, type Track } from '../src/platform/database/index.ts';
import { build } from './support/harness.ts';
import { run } from './support/sql.ts';

const { db } = await build({ after });
await run(db, 'create table notes (id integer primary key, text text not null)');

/** Sends an INSERT and does not wait for its answer. */
function send(tx: Queryable, id: number, text: unknown): void {
  const statement = 'insert into notes values ($1, $2)';
  tx.query({ name: '', text: statement, values: [id, text] }).catch(() => undefined);
}

const countNotes = async (): Promise<number> => (await run(db, 'select from notes')).rows.length;

describe('a transaction whose work does not wait for its writes', () => {
  test('commits them', async () => {
    await runInTransaction(db, async (tx) => send(tx, 0, 'a note'));
    assert.equal(await countNotes(), 1);
    await run(db, 'delete from notes');
  });

  test('commits nothing and throws the error of PostgreSQL when one of them fails', async () => {
    const work = async (tx: Queryable): Promise<void> => {
      send(tx, 1, 'a note');
      send(tx, 2, null);
      send(tx, 3, 'another note');
    };
    await assert.rejects(runInTransaction(db, work), { code: '23502', column: 'text' });
    assert.equal(await countNotes(), 0);
  });

  test('commits nothing when the driver cannot encode a value', async () => {
    const endless: Record<string, unknown> = {};
    endless['itself'] = endless;
    const work = async (tx: Queryable): Promise<void> => {
      send(tx, 1, 'a note');
      send(tx, 2, endless);
    };
    await assert.rejects(runInTransaction(db, work), { name: 'TypeError' });
    assert.equal(await countNotes(), 0);
  });

  test('commits nothing when a tracked write fails before it sends its statement', async () => {
    const work = async (tx: Queryable, track: Track): Promise<void> => {
      send(tx, 1, 'a note');
      void track(Promise.reject(new Error('the note has no text')));
    };
    await assert.rejects(runInTransaction(db, work), { message: 'the note has no text' });
    assert.equal(await countNotes(), 0);
  });
});
