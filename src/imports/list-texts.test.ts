import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTexts } from './list-texts.ts';

const texts = (json: string) => {
  JSON.parse(json);
  return listTexts(json, 'contacts');
};

test('elements are given as they were written, number forms, escapes, repeated keys and spaces', () => {
  const elements = [
    '{"budget":1e5,"a":1, "a" : 2}',
    String.raw`{ "notes":"a \"]}\" , \\" , "tags":["x",[1,{}]] }`,
    String.raw`"te\\"`,
    '-1.50',
    'null',
    '[ ]',
    '{}',
    String.raw`"\\\""`,
  ];
  assert.deepEqual(texts(`{"contacts":[${elements.join(',')}]}`), elements);
  assert.deepEqual(
    texts(` \n{ "a":[1], "contacts" :\t[ ${elements.join(' ,\r\n ')} ] , "b":{} } `),
    elements,
  );
});

test('the last member of the name counts, however its name is written', () => {
  assert.deepEqual(texts(String.raw`{"contacts":[1],"\u0063ontacts":[2, 3],"other":[4]}`), [
    '2',
    '3',
  ]);
});

test('an inner member of the same name is another', () => {
  assert.deepEqual(texts('{"a":{"contacts":[1]},"contacts":[{"contacts":[2]}]}'), [
    '{"contacts":[2]}',
  ]);
});

test('an empty list has no elements, and a missing one neither', () => {
  assert.deepEqual(texts('{"contacts":[ ]}'), []);
  assert.deepEqual(texts('{}'), []);
});

test('a list of a thousand long elements is cut in one pass', () => {
  const elements = Array.from({ length: 1000 }, (_, n) =>
    JSON.stringify({ n, notes: '"{[\\'.repeat(500) }),
  );
  assert.deepEqual(texts(`{"contacts":[${elements.join()}]}`), elements);
});
