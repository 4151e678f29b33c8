import type { Bench } from '../bench.ts';
import { run } from '../data.ts';
import { BATCH_SIZE, type Lead, LEADS, makeImporter, makeLeads } from '../leads.ts';
import { figure, type Comparison } from '../measure.ts';

/** The tables that grow with leads, by their contents. */
const PARTS: Record<string, string[]> = {
  'contacts, tags, links': ['contacts', 'contact_tags', 'contact_links', 'email_locks', 'tags'],
  'their activities': ['activities'],
  'the import log': ['imports', 'import_log_sizes'],
  events: ['events'],
  changes: ['changes'],
};

/** Measures the bytes on disk of each lead, with indexes, by contents. */
export async function storing(bench: Bench): Promise<Comparison[]> {
  const { db } = bench;
  const { account, projectId, key } = await makeImporter(db, 'storing');
  const { url } = await bench.serve();
  const first = makeLeads(LEADS, projectId);

  async function send(all: object[]): Promise<void> {
    for (let at = 0; at < all.length; at += BATCH_SIZE) {
      const response = await fetch(`${url}/api/v1/contacts/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ contacts: all.slice(at, at + BATCH_SIZE) }),
      });
      if (!response.ok) throw new Error(await response.text());
    }
  }

  const sizes = () =>
    Promise.all(
      Object.values(PARTS).map(async (tables) => {
        const [size] = (await run(
          db,
          'select sum(pg_total_relation_size(name::regclass))::float8 as bytes from unnest($1::text[]) name',
          [tables],
        )) as { bytes: number }[];
        return size?.bytes ?? NaN;
      }),
    );

  async function measure(work: string, all: object[]): Promise<Comparison> {
    bench.say(work);
    const before = await sizes();
    await send(all);
    await run(db, 'vacuum', []);
    const after = await sizes();
    const figures = Object.keys(PARTS).map((name, at) => {
      const bytes = ((after[at] ?? NaN) - (before[at] ?? NaN)) / all.length;
      return figure(name, [{ perSecond: NaN, bytes }]);
    });
    return { work: `bytes of ${work}`, figures, verdicts: [] };
  }

  const again = (lead: Lead) => ({
    ...lead,
    mobilePhone: '+64 21 555 0199',
    notes: 'Called back.',
  });
  const wrong = (lead: Lead) => ({ ...lead, unitId: account.id });
  return [
    await measure('a lead that makes a contact', first),
    await measure('a lead of a known contact, with a new note and another phone', first.map(again)),
    await measure('a refused lead', makeLeads(LEADS, projectId).map(wrong)),
  ];
}
