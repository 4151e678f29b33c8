import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { accountFile } from './accounts.ts';
import { assertConforms } from './document.ts';
import type { Answer, TestApp } from './harness.ts';
import { assertProblem } from './problem.ts';
import type { ProblemCode } from '../../src/platform/http/index.ts';

const id = (n: number): string => `0196a000-0000-7000-8000-${String(n).padStart(12, '0')}`;

// Ids are an account's own, so that every developer here has the same ones.
export const LIVE = id(101);
export const OTHER_LIVE = id(102);
export const DRAFT = id(103);
export const ARCHIVED = id(104);
export const UNIT = id(201);
export const OTHER_UNIT = id(202);
export const WITHDRAWN_UNIT = id(203);
export const DRAFT_UNIT = id(204);
export const USER = id(301);
export const OTHER_USER = id(302);
export const INACTIVE_USER = id(303);
/** An id that no row has. */
export const NOWHERE = id(999);

function project(projectId: string, slug: string, publication: string, units: object[]): object {
  const [like] = accountFile(slug).projects;
  return { ...like, id: projectId, slug, name: slug, publication, units };
}

/** A developer with projects in each publication, units, users and these contacts. */
export function developerFile(slug: string, contacts: object[] = []): object {
  return {
    ...accountFile(slug),
    users: [
      { id: USER, email: 'hana@developer.example', name: 'Hana', active: true },
      { id: OTHER_USER, email: 'mele@developer.example', name: 'Mele', active: true },
      { id: INACTIVE_USER, email: 'rewi@developer.example', name: 'Rewi', active: false },
    ],
    projects: [
      project(LIVE, 'harbourlight', 'live', [
        { id: UNIT, name: '1A', status: 'Available' },
        { id: WITHDRAWN_UNIT, name: '1B', status: 'Withdrawn' },
      ]),
      project(OTHER_LIVE, 'kauri-rise', 'live', [
        { id: OTHER_UNIT, name: '1A', status: 'Settled' },
      ]),
      project(DRAFT, 'matai-lane', 'draft', [{ id: DRAFT_UNIT, name: '1A', status: 'Available' }]),
      project(ARCHIVED, 'rimu-court', 'archived', []),
    ],
    contacts,
  };
}

/** An account under test, and what its clients do. */
export interface Developer {
  slug: string;
  key: string;
  /** Sends POST /contacts, and checks a successful answer against its schema. */
  post: (body: object) => Promise<Answer>;
  /** Sends POST /contacts. Asserts that it is refused with this code, and that nothing is written. */
  refused: (body: unknown, code: ProblemCode, ...pointers: string[]) => Promise<Answer>;
  // Each test knows the shape of its own export.
  // eslint-disable-next-line typescript/no-explicit-any
  exported: () => Promise<any>;
  /** The one stored contact with this email, as it is exported. */
  // eslint-disable-next-line typescript/no-explicit-any
  contact: (email: string) => Promise<any>;
}

/** Makes developers, each an account of its own on one service. */
export function developersOf(service: TestApp) {
  return async function makeDeveloper(contacts: object[] = []): Promise<Developer> {
    const slug = `developer-${randomBytes(6).toString('hex')}`;
    await service.load(developerFile(slug, contacts));
    const key = await service.key(slug, 'read-write');
    const exported = () => service.exported(slug);
    const send = (payload: object): Promise<Answer> =>
      service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });

    async function post(body: object): Promise<Answer> {
      const answer = await send(body);
      if (answer.status < 300) assertConforms('ContactImportResult', answer.body);
      return answer;
    }

    async function refused(body: unknown, code: ProblemCode, ...pointers: string[]) {
      const before = await exported();
      const answer = await send(body as object);
      const problem = assertProblem(answer, code, '/api/v1/contacts');
      const named = problem.errors?.map((fault) => ('pointer' in fault ? fault.pointer : '')) ?? [];
      assert.deepEqual(named, pointers, JSON.stringify(problem.errors));
      assert.deepEqual(await exported(), before);
      return answer;
    }

    async function contact(email: string) {
      const { contacts } = await exported();
      const found = contacts.filter((each: { email: string }) => each.email === email);
      assert.equal(found.length, 1, `${found.length} contacts are stored as ${email}`);
      return found[0];
    }

    return { slug, key, post, refused, exported, contact };
  };
}
