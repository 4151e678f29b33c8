import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin } from './shape.ts';

const within = (json: string, containers: number, members: number): boolean =>
  isWithin(Buffer.from(json), { containers, members });

test('lists and objects are counted however they nest, and members by their names', () => {
  const json = JSON.stringify({ a: [[], {}, [1, 2, 3]], b: { c: 'd', e: null } });
  assert.deepEqual(
    [within(json, 6, 4), within(json, 5, 4), within(json, 6, 3)],
    [true, false, false],
  );
});

test('what stands in a text is not counted', () => {
  const json = JSON.stringify({ '[{:': '\\"[{:\\\\', 'ā"': '"{', z: '\\' });
  assert.deepEqual(
    [within(json, 1, 3), within(json, 0, 3), within(json, 1, 2)],
    [true, false, false],
  );
});

test('what is no JSON is left to its parser', () => {
  for (const text of ['', '"', '"\\', ']', '\uFEFF{}', 'nothing'])
    assert.equal(within(text, 1, 0), true);
});
