import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import type { Role, Scope } from '../../src/access/index.ts';
import { issueKey } from '../../src/keys/index.ts';
import { accountIdOf } from './accounts.ts';
import { developersOf, type Developer } from './developer.ts';
import type { Answer, TestApp } from './harness.ts';
import { addPerson, browser, openSession } from './people.ts';

export const CONTACTS = '/api/v1/contacts';

type Send = (request: InjectOptions & { url: string }) => Promise<Answer>;

/** Calls of the API by one person or one program. Paths are below `/api/v1`. */
function apiOf(send: Send) {
  const call =
    (method: 'GET' | 'DELETE') =>
    (path: string, headers = {}): Promise<Answer> =>
      send({ method, url: `/api/v1${path}`, headers });
  const write =
    (method: 'POST' | 'PATCH' | 'PUT') =>
    (path: string, payload?: object | string, headers = {}): Promise<Answer> =>
      send({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
  return {
    get: call('GET'),
    remove: call('DELETE'),
    post: write('POST'),
    patch: write('PATCH'),
    put: write('PUT'),
  };
}

export type Api = ReturnType<typeof apiOf>;

/** An account under test, and functions that add programs, people and leads to it. */
export interface TestAccount {
  developer: Developer;
  accountId: string;
  /** Makes an API key with these scopes, and returns the calls of a program that has it. */
  program: (...scopes: Scope[]) => Promise<Api>;
  /** Adds a person with this role, signs in, and returns the person's calls and id. */
  person: (role: Role) => Promise<Api & { id: string }>;
  /** Imports a lead, and returns the id of its contact. */
  lead: (fields: object) => Promise<string>;
}

/** Returns a function that makes accounts on this service, each with these contacts. */
export function testAccountsOf(service: TestApp) {
  return async function makeAccount(contacts: object[] = []): Promise<TestAccount> {
    const developer = await developersOf(service)(contacts);
    const accountId = await accountIdOf(service.db, developer);
    return {
      developer,
      accountId,
      program: async (...scopes) => {
        const key = await issueKey(service.db, accountId, { name: 'crm', scopes });
        return apiOf((request) => service.send({ ...request, key }));
      },
      person: async (role) => {
        const person = await addPerson(service, { role, slug: developer.slug });
        return { ...apiOf(browser(service, await openSession(service, person))), id: person.id };
      },
      lead: async (fields) => {
        const { status, text, body } = await developer.post(fields);
        assert.ok(status < 300, text);
        return body.contactId;
      },
    };
  };
}
