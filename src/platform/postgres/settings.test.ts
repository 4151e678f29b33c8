import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pgIdentConf, quoteFolder } from './settings.ts';

test('the map knows the server’s user and root, each once, whatever the name looks like', () => {
  assert.equal(pgIdentConf('kim'), 'offplan "kim" offplan\noffplan "root" offplan\n');
  assert.equal(pgIdentConf('root'), 'offplan "root" offplan\n');
  assert.match(pgIdentConf('a "b"'), /^offplan "a ""b""" offplan\n/);
});

test('a folder with commas and quotes is one folder', () => {
  assert.equal(quoteFolder('/a, "b"/run'), '"/a, ""b""/run"');
});
