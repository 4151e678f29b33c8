import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAllLists } from '../support/list-reads.ts';

/** A walk, and the rows that match where few do. */
const BLOCKS_OF_MOST = 10_000;
/**
 * All links or names, and a walk along the entries of an index. The walk counts a block of the visibility map about every
 * second entry, since the contacts of neighbouring entries lie far apart.
 */
const BLOCKS_MAX = 150_000;

test('of a million contacts nearly every list reads few blocks, and none reads the table of contacts', async (t) => {
  const lists = await readAllLists(t, 1_000_000);
  const many = lists.filter(({ blocks }) => blocks > BLOCKS_OF_MOST);
  assert.deepEqual(
    many.filter(({ blocks }) => blocks > BLOCKS_MAX),
    [],
  );
  assert.ok(many.length < 0.1 * lists.length, JSON.stringify(many));
});
