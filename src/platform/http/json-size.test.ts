import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonWithin } from './json-size.ts';

const within = (json: string, containers: number, members: number): boolean =>
  isJsonWithin(Buffer.from(json), { containers, members });

test('arrays, objects and members are counted at any depth', () => {
  const json = JSON.stringify({ a: [[], {}, [1, 2, 3]], b: { c: 'd', e: null } });
  assert.deepEqual(
    [within(json, 6, 4), within(json, 5, 4), within(json, 6, 3)],
    [true, false, false],
  );
});

test('brackets within strings are not counted', () => {
  const json = JSON.stringify({ '[{:': '\\"[{:\\\\', 'ā"': '"{', z: '\\' });
  assert.deepEqual(
    [within(json, 1, 3), within(json, 0, 3), within(json, 1, 2)],
    [true, false, false],
  );
});

test('a text that is not JSON is within the limits', () => {
  for (const text of ['', '"', '"\\', ']', '\uFEFF{}', 'nothing'])
    assert.equal(within(text, 1, 0), true);
});
