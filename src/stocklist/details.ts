import type { Pool } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { isStorable, type ImageBases } from '../platform/text/index.ts';
import type { ProjectInclude } from './includes.ts';
import type { Snapshot } from './pages.ts';
import {
  presentOrganization,
  presentPriceRange,
  presentProject,
  presentSummary,
} from './present.ts';
import { findProject } from './store.ts';

const PROJECT_NOT_FOUND =
  'The account has no live project with this slug. GET /stocklist lists those that it has.';

/** Builds the details of one project. Throws a Problem when the account has no live project with this slug. */
export async function buildDetail(
  db: Pool,
  imageBases: ImageBases,
  { accountId, slug, include }: { accountId: string; slug: string; include: ProjectInclude[] },
): Promise<Snapshot> {
  const found = isStorable(slug) ? await findProject(db, accountId, slug) : undefined;
  if (found === undefined) throw new Problem('project_not_found', PROJECT_NOT_FOUND);
  const { clock, organization, latitude, longitude, updatedAt, ...row } = found;
  const summary = presentSummary({ latitude, longitude, updatedAt }, row.units);
  const response = {
    organization: presentOrganization(imageBases, organization),
    project: presentProject(imageBases, row),
    ...(include.includes('summary') && { summary }),
    ...(include.includes('priceRange') && { priceRange: presentPriceRange(row.units) }),
  };
  return { clockMs: Date.parse(clock), body: Buffer.from(JSON.stringify(response)) };
}
