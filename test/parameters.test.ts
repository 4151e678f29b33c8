import { after, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { endpointsOf } from './endpoints.ts';
import { build } from './harness.ts';
import { addPerson, browser, signIn } from './people.ts';
import { assertProblem } from './problem.ts';

const service = await build({ after });
const document = service.app.swagger() as {
  paths: Record<string, Record<string, { parameters?: { in: string }[] }>>;
};
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
      const me = await addPerson(service, { role: 'owner' });
      const send = browser(service, await signIn(service, me));
      const { url, ...rest } = request();
      const answer = await send({ ...rest, url: `${url}?dryRun=true` });
      const { errors } = assertProblem(answer, 'invalid_request', url);
      assert.deepEqual(
        errors?.map((fault) => 'parameter' in fault && fault.parameter),
        ['dryRun'],
      );
    });
});
