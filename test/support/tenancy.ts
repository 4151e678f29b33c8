import { assertConforms } from './document.ts';
import type { Answer, TestApp } from './harness.ts';
import { addAccount, addProject, type Account, type Columns } from './stock.ts';

/** An account and its client. */
export interface Tenant {
  account: Account;
  /** GET /stocklist */
  list: (query?: string, headers?: Record<string, string>) => Promise<Answer>;
  /** GET /projects/:slug */
  read: (slug: string, headers?: Record<string, string>) => Promise<Answer>;
}

export function tenancies(service: TestApp) {
  async function makeTenant(columns: Columns = {}): Promise<Tenant> {
    const account = await addAccount(service.db, columns);
    const key = await service.key(account.slug, 'read');
    const get = (url: string, headers = {}): Promise<Answer> =>
      service.send({ url: `/api/v1${url}`, key, headers });
    return {
      account,
      list: async (query = '', headers) =>
        conforming('StocklistResponse', await get(`/stocklist${query}`, headers)),
      read: async (slug, headers) =>
        conforming('ProjectResponse', await get(`/projects/${slug}`, headers)),
    };
  }

  /** A tenant with some projects: their slugs in the order of the stocklist, and the first of them. */
  async function makeTenantWith(
    count: number,
  ): Promise<Tenant & { slugs: string[]; slug: string }> {
    const tenant = await makeTenant();
    const slugs: string[] = [];
    for (let n = 0; n < count; n += 1)
      slugs.unshift((await addProject(service.db, tenant.account)).slug);
    return { ...tenant, slugs, slug: slugs[0] ?? '' };
  }

  return { makeTenant, makeTenantWith };
}

function conforming(name: Parameters<typeof assertConforms>[0], answer: Answer): Answer {
  if (answer.status === 200 && answer.body !== undefined) assertConforms(name, answer.body);
  return answer;
}

export function slugsOf({ body }: Answer): string[] {
  return body.projects.map((project: { slug: string }) => project.slug);
}
