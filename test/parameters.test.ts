import { after, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { document } from './support/document.ts';
import { endpointsOf } from './support/endpoints.ts';
import { build } from './support/harness.ts';
import { addPerson, browser, openSession } from './support/people.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const send = browser(
  service,
  await openSession(service, await addPerson(service, { role: 'owner' })),
);
/** The endpoints for websites ignore unknown parameters. */
const FOR_WEBSITES = /^\w+ \/(stocklist|projects\/\{slug\}|contacts(\/batch)?)$/;

const endpoints = endpointsOf(document).filter(({ name, method, path }) => {
  const inDocument = path.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}');
  const { parameters = [] } = document.paths[inDocument]?.[method.toLowerCase()] ?? {};
  return !FOR_WEBSITES.test(name) && parameters.every((each) => each.in !== 'query');
});

describe('a route without parameters refuses them, so that no dry run is carried out:', () => {
  for (const { name, request } of endpoints)
    test(name, async () => {
      const { url, ...rest } = request();
      const answer = await send({ ...rest, url: `${url}?dryRun=true` });
      const { errors } = assertProblem(answer, 'invalid_request', url);
      assert.deepEqual(
        errors?.map((fault) => 'parameter' in fault && fault.parameter),
        ['dryRun'],
      );
    });
});

/** Ends of a time, and other ways to write them. */
const ENDS = { '+13:00': '%2B13:00', ',5Z': '.5Z' };

describe('a time with an unescaped + in its offset is read as one with %2B, and one with a comma as one with a point:', () => {
  for (const { name, path, method, request } of endpointsOf(document)) {
    const inDocument = path.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}');
    const { parameters = [] } = document.paths[inDocument]?.[method.toLowerCase()] ?? {};
    const times = parameters.filter(({ schema }) => schema.format === 'date-time');
    for (const { name: parameter } of times)
      test(`${name}?${parameter}`, async () => {
        const url = request().url.split('?')[0];
        for (const ends of Object.entries(ENDS)) {
          const [one, other] = await Promise.all(
            ends.map((end) =>
              send({ method: 'GET', url: `${url}?${parameter}=2026-01-01T00:00:00${end}` }),
            ),
          );
          assert.notEqual(one?.status, 400, one?.text);
          assert.equal(one?.status, other?.status, one?.text);
        }
      });
  }
});

describe('a text that PostgreSQL cannot store is an ordinary value of a parameter:', () => {
  for (const { name, path, method, request } of endpointsOf(document)) {
    const inDocument = path.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}');
    const { parameters = [] } = document.paths[inDocument]?.[method.toLowerCase()] ?? {};
    const inQuery = parameters.filter((each) => each.in === 'query');
    if (method !== 'GET' || inQuery.length === 0) continue;
    test(name, async () => {
      const [url] = request().url.split('?');
      for (const each of inQuery)
        for (const value of ['%00', 'a%00b', '%00,a', '%ED%A0%80']) {
          const { status, text } = await send({ method, url: `${url}?${each.name}=${value}` });
          assert.ok(status < 500, `${each.name}=${value}: ${text}`);
        }
    });
  }
});
