import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadAccount } from '../src/portability/index.ts';
import { developersOf, USER, type Developer } from './support/developer.ts';
import { build } from './support/harness.ts';
import { BATCH, sender } from './support/imports.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const EMAIL = 'aroha@example.com';

const enquiriesOf = async ({ exported }: Developer): Promise<object[]> =>
  (await exported()).enquiries.map(({ values }: { values: object }) => values);

test('a lead that sends another value than its contact has leaves an enquiry with what it sent', async () => {
  const mine = await makeDeveloper();
  const { body } = await mine.post({ email: EMAIL, phone: '1', source: 'Website', budget: 5 });
  const again = { email: EMAIL, phone: '2', source: 'Agent', budget: '5', companyName: 'Kauri' };
  const { body: merged } = await mine.post({ ...again, assignedAccountUserId: USER });
  assert.deepEqual(merged.filledFields, ['company_name', 'assigned_account_user']);
  assert.deepEqual(await enquiriesOf(mine), [{ phone: '2', source: 'Agent' }]);
  const { phone, source, activities } = await mine.contact(EMAIL);
  assert.deepEqual([phone, source, activities], ['1', 'Website', []]);
  const key = await service.key(mine.slug, 'all');
  const url = `/api/v1/events?types=activity.created&subject=${body.contactId}`;
  const { body: events } = await service.send({ url, key });
  assert.deepEqual(
    events.data.map(({ data }: { data: { activityType: string } }) => data.activityType),
    ['enquiry'],
  );
});

test('an enquiry is not kept again while the latest one has the same values', async () => {
  const mine = await makeDeveloper();
  await mine.post({ email: EMAIL, phone: '1' });
  for (const phone of ['2', '2', '3', '2', '3', '3']) await mine.post({ email: EMAIL, phone });
  assert.deepEqual(
    await enquiriesOf(mine),
    ['2', '3', '2', '3'].map((phone) => ({ phone })),
  );
});

test('a value that differs only in case or surrounding spaces makes no enquiry', async () => {
  const mine = await makeDeveloper();
  await mine.post({ email: EMAIL, name: 'Aroha Ngata', sourceExternalOriginalName: 'Fair' });
  await mine.post({ email: EMAIL, name: ' AROHA ngata\n' });
  await mine.post({ email: EMAIL, tags: ['Hot'], notes: 'Hello' });
  assert.deepEqual(await enquiriesOf(mine), []);
});

test('an enquiry is not kept again when it differs only in case, or in the order of its values', async () => {
  const mine = await makeDeveloper();
  await mine.post({ email: EMAIL, companyName: 'Kauri', phone: '1' });
  for (const companyName of ['Rimu', ' RIMU '])
    await mine.post({ email: EMAIL, companyName, phone: '2' });
  assert.deepEqual(await enquiriesOf(mine), [{ companyName: 'Rimu', phone: '2' }]);
});

test('a lead that makes the contact, and one that is refused, leave no enquiry; the leads of a batch see each other', async () => {
  const mine = await makeDeveloper();
  const leads = [
    { email: EMAIL, phone: '1' },
    { email: EMAIL, phone: '2' },
    { email: EMAIL, phone: '2' },
    { email: EMAIL, phone: '3', unitId: 'none' },
  ];
  const { body } = await sender(service)(mine, { contacts: leads }, { url: BATCH });
  assert.deepEqual(body.summary, { created: 1, merged: 2, refused: 1 });
  assert.deepEqual(await enquiriesOf(mine), [{ phone: '2' }]);
});

test('a note is compared with the latest activity that is no enquiry', async () => {
  const mine = await makeDeveloper();
  const lead = { email: EMAIL, phone: '1', notes: 'Hello' };
  await mine.post(lead);
  await mine.post({ ...lead, phone: '2' });
  await mine.post({ ...lead, phone: '3' });
  const { activities } = await mine.contact(EMAIL);
  assert.deepEqual(
    activities.map(({ body }: { body: string }) => body),
    ['Hello'],
  );
});

test('an account file has the enquiries, a load adds those that are missing, and refuses one of an unlisted contact', async () => {
  const mine = await makeDeveloper();
  await mine.post({ email: EMAIL, phone: '1' });
  await mine.post({ email: EMAIL, phone: '2' });
  const file = await mine.exported();
  const other = await makeDeveloper();
  const [contact] = file.contacts;
  const parts = { contacts: [contact], enquiries: file.enquiries };
  const part = { format: file.format, account: { slug: other.slug }, ...parts };
  assert.equal((await service.load(structuredClone(part))).activities.created, 1);
  assert.deepEqual((await other.exported()).enquiries, file.enquiries);
  assert.equal((await service.load(structuredClone(part))).activities.created, 0);
  await assert.rejects(loadAccount(service.db, { ...part, contacts: [] }), ({ faults }) => {
    assert.deepEqual(
      faults.map(({ pointer }: { pointer: string }) => pointer),
      ['/enquiries/0/contactId'],
    );
    return true;
  });
});
