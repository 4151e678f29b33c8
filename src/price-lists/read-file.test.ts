import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPriceList } from './read-file.ts';

for (const text of ['"', '","', ','])
  test(`the event loop goes on while 4 MiB of ${text} are read`, async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await assert.rejects(readPriceList(Buffer.alloc(4 * 1024 * 1024, text), null));
    clearImmediate(next);
    assert.ok(turns > 10, `${turns} turns`);
  });
