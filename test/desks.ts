import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import type { Role, Scope } from '../src/access/index.ts';
import { issueKey } from '../src/keys/index.ts';
import { developersOf, type Developer } from './developer.ts';
import type { Answer, TestApp } from './harness.ts';
import { accountIdOf } from './instances.ts';
import { addPerson, browser, signIn } from './people.ts';

export const CONTACTS = '/api/v1/contacts';

type Send = (request: InjectOptions & { url: string }) => Promise<Answer>;

/** The requests of somebody who works with contacts. Paths are below `/api/v1`. */
function deskOf(send: Send) {
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

export type Desk = ReturnType<typeof deskOf>;

/** An account with contacts, and the people and programs that work with them. */
export interface Office {
  made: Developer;
  accountId: string;
  /** A program whose key has these scopes. */
  program: (...scopes: Scope[]) => Promise<Desk>;
  /** A person with this role, who is signed in. */
  person: (role: Role) => Promise<Desk & { id: string }>;
  /** Imports a lead, and returns the id of its contact. */
  lead: (fields: object) => Promise<string>;
}

/** Makes offices, each an account of its own on one service. */
export function officesOf(service: TestApp) {
  return async function office(contacts: object[] = []): Promise<Office> {
    const made = await developersOf(service)(contacts);
    const accountId = await accountIdOf(service.db, made);
    return {
      made,
      accountId,
      program: async (...scopes) => {
        const key = await issueKey(service.db, accountId, { name: 'crm', scopes });
        return deskOf((request) => service.send({ ...request, key }));
      },
      person: async (role) => {
        const person = await addPerson(service, { role, slug: made.slug });
        return { ...deskOf(browser(service, await signIn(service, person))), id: person.id };
      },
      lead: async (fields) => {
        const { status, text, body } = await made.post(fields);
        assert.ok(status < 300, text);
        return body.contactId;
      },
    };
  };
}
