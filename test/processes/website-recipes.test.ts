import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { accountFile, PROJECT_ID } from '../support/accounts.ts';
import { build } from '../support/harness.ts';
import { makeProgram, readRecipes } from '../support/recipes.ts';

/* The static site of docs/websites.md, built as its program stands there. */

const RENDER = `export const renderList = (slugs) => slugs.join();
export const renderProject = ({ organization, project }) =>
  [organization.phone, project.name, ...project.relatedProjects.map(({ name }) => name)].join();`;

test('the static site writes again what changed, also pages that show the organization or a related project', async (t) => {
  const service = await build({ after });
  const file = accountFile('static-site');
  const [first] = file.projects;
  const RELATED = PROJECT_ID.replace(/1$/, '2');
  const related = { ...first, id: RELATED, slug: 'bay', name: 'Bay' };
  const projects = [{ ...first, relatedProjects: ['bay'] }, related];
  await service.load({ ...file, projects });
  const url = `${await service.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`;
  const key = await service.key('static-site', 'all');
  const { 'build.ts': program = assert.fail('no program') } = readRecipes('docs/websites.md');
  const folder = makeProgram(t, { 'build.ts': program, 'render.ts': RENDER });

  const env = { ...process.env, OFFPLAN_URL: url, OFFPLAN_KEY: key };
  const site = join(folder, 'site');
  const pages = join(site, 'projects');
  /** Runs the program. Returns the pages that it wrote. */
  const run = async (): Promise<string> => {
    const options = { cwd: folder, env };
    const { stdout } = await promisify(execFile)(process.execPath, ['build.ts'], options);
    return stdout.trim().split('\n').toSorted().join();
  };
  const read = (slug: string): string => readFileSync(join(pages, `${slug}.html`), 'utf8');
  const change = async (path: string, method: string, body?: object): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(url + path, init);
    assert.ok(response.ok, await response.text());
  };

  assert.equal(await run(), 'wrote bay,wrote tui-ridge');
  assert.equal(await run(), '');
  await change(`/stock/projects/${RELATED}`, 'PATCH', { name: 'Long Bay' });
  assert.equal(await run(), 'wrote bay,wrote tui-ridge');
  assert.equal(read('tui-ridge'), ',Tūī Ridge,Long Bay');
  await change('/organization', 'PATCH', { phone: '1' });
  assert.equal(await run(), 'wrote bay,wrote tui-ridge');
  assert.equal(read('bay'), '1,Long Bay');
  await change(`/stock/projects/${PROJECT_ID}`, 'PATCH', { slug: 'ridge' });
  assert.equal(await run(), 'wrote ridge');
  assert.deepEqual(readdirSync(pages).toSorted(), ['bay.html', 'ridge.html']);
  await change(`/stock/projects/${RELATED}/unpublish`, 'POST');
  assert.equal(await run(), 'wrote ridge');
  assert.deepEqual(readdirSync(pages), ['ridge.html']);
  // The page of a project with this slug is not that of the list.
  await change(`/stock/projects/${PROJECT_ID}`, 'PATCH', { slug: 'index' });
  assert.equal(await run(), 'wrote index');
  assert.deepEqual(readdirSync(pages), ['index.html']);
  assert.equal(read('index'), '1,Tūī Ridge');
  assert.equal(readFileSync(join(site, 'index.html'), 'utf8'), 'index');
});

test('the program of the form asks to send an enquiry again whose Idempotency-Key another one has, and refuses a body that is no form', async (t) => {
  const service = await build({ after });
  await service.load(accountFile('enquiries'));
  const key = await service.key('enquiries', 'read-write');
  process.env['OFFPLAN_URL'] = `${await service.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`;
  process.env['OFFPLAN_KEY'] = key;
  const { 'enquiry.ts': program = assert.fail('no program') } = readRecipes('docs/websites.md');
  const folder = makeProgram(t, { 'enquiry.ts': program });
  const { POST } = (await import(join(folder, 'enquiry.ts'))) as {
    POST: (request: Request) => Promise<Response>;
  };
  t.mock.method(console, 'error', () => undefined);
  const send = async (message: string): Promise<number> => {
    const body = new URLSearchParams({ email: 'aroha@example.com', message, id: 'one' });
    return (await POST(new Request('http://website.example', { method: 'POST', body }))).status;
  };
  assert.deepEqual(
    [await send('First'), await send('First'), await send('Second')],
    [204, 204, 503],
  );
  const noForm = new Request('http://website.example', { method: 'POST', body: '{}' });
  assert.equal((await POST(noForm)).status, 400);
});
