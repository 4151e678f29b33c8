import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAllLists } from '../list-reads.ts';

/** The longest walk along an order reads 5,000 contacts, and then sorts all that match. */
const BLOCKS_MAX = 6_000;

test('no page of a list of 10,000 contacts reads more than a walk and the rows that match', async (t) => {
  const lists = await readAllLists(t, 10_000);
  assert.deepEqual(
    lists.filter(({ blocks }) => blocks > BLOCKS_MAX),
    [],
  );
});
