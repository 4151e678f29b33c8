import assert from 'node:assert/strict';
import { test } from 'node:test';
import { socketFolderFor } from './socket.ts';

test('the socket is in the data folder as long as its path is short enough, counted in bytes', () => {
  const rest = '/run/.s.PGSQL.5432'.length;
  const limit = process.platform === 'darwin' ? 103 : 107;
  const longest = `/${'x'.repeat(limit - rest - 1)}`;
  assert.equal(socketFolderFor(longest), `${longest}/run`);
  assert.match(socketFolderFor(`${longest}x`), /^\/tmp\/offplan-[\da-f]{24}$/);
  assert.match(socketFolderFor(longest.replace('x', 'ā')), /^\/tmp\/offplan-/);
  assert.notEqual(socketFolderFor(`${longest}x`), socketFolderFor(`${longest}y`));
});
