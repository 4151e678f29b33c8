import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { build } from '../support/harness.ts';
import { listColumns } from '../support/instances.ts';
import { assertProblem } from '../support/problem.ts';
import { run } from '../support/sql.ts';
import { testAccountsOf } from '../support/test-accounts.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);

const BULK = '/contacts/bulk';

test('a bulk change is refused when more than 10,000 contacts match its filter', async () => {
  const { lead, program, accountId } = await makeAccount();
  const id = await lead({ email: 'aroha@example.com' });
  const api = await program('contacts:write', 'contacts:manage');
  const columns = (await listColumns(service.db, 'contacts')).join(', ');
  const copied = columns
    .replace(' id,', ' gen_random_uuid(),')
    .replace('email, email_key', `n || '@example.com', n || '@example.com'`);
  const copies = `insert into contacts (${columns})
    select ${copied} from contacts, generate_series(1, 10000) as n where account_id = $1 and id = $2`;
  await run(service.db, copies, [accountId, id]);
  const change = { filter: { stage: ['New'] }, set: { stage: 'Contacted' } };
  const tooMany = await api.post(BULK, change);
  const { detail } = assertProblem(tooMany, 'invalid_request', `/api/v1${BULK}`);
  assert.match(detail ?? '', /^The filter matches more than 10000 contacts/);
  await api.patch(`/contacts/${id}`, { stage: 'Lost' });
  const { body } = await api.post(`${BULK}?dryRun=true`, change);
  assert.deepEqual(body, { matched: 10_000, changed: 10_000 });
});
