import { uuidv7 } from 'uuidv7';
import { importAll } from '../src/imports/import.ts';
import type { Lead } from '../src/imports/lead.ts';
import type { Outcome, Submission } from '../src/imports/submission.ts';
import type { Pool } from '../src/platform/database/index.ts';
import type { Problem } from '../src/platform/http/index.ts';

const origin = {
  channel: 'single',
  apiKeyId: null,
  requestId: null,
  position: null,
  file: null,
} as const;

/** A submission of one lead. */
export function submissionOf(lead: Lead | Problem, payload = ''): Submission {
  return { imports: [{ id: uuidv7(), receivedAt: new Date(), origin, payload, lead }] };
}

/** Imports leads that came one by one, together. */
export async function importLeads(
  db: Pool,
  accountId: string,
  leads: Lead[],
): Promise<(Outcome | Error)[]> {
  const results = await importAll(
    db,
    accountId,
    leads.map((lead) => submissionOf(lead)),
    { lookFirst: new Set() },
  );
  return results.flat();
}
