import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUser } from './user.ts';

const passwd = `root:x:0:0:root:/root:/bin/bash
postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash
+::::::
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`;

test('a user is found by name and by uid, and nothing else is taken for one', () => {
  const postgres = { name: 'postgres', uid: 101, gid: 104 };
  assert.deepEqual(parseUser(passwd, 'postgres'), postgres);
  assert.deepEqual(parseUser(passwd, '101'), postgres);
  assert.equal(parseUser(passwd, '104'), null);
  assert.equal(parseUser(passwd, ''), null);
  assert.equal(parseUser('', 'postgres'), null);
});
