/*
 * A CSV of many rows, one in a hundred bad, through `offplan import`, in a process of its own as an operator runs
 * it: rows a second, its greatest memory, and whether the sum and the report are right. The floor, measured in the
 * same run, is SQL alone: contacts, two tags and a note each, in sets of 500, two in flight, with no lock, look-up,
 * rule or log. And a batch of 1,000 over HTTP.
 *
 *   node bench/files.ts [ROWS]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import { issueKey } from '../src/accounts/issue.ts';
import { accountFindBySlug } from '../src/accounts/store.ts';
import type { Pool } from '../src/database/pool.ts';
import { loadAccount } from '../src/portability/load.ts';
import { accountFile, machine, withService } from './service.ts';

const ROWS = Number(process.argv[2] ?? 200_000);
const BIN = fileURLToPath(new URL('../bin/offplan.js', import.meta.url));
const SET = 500;
const BATCHES = 20;

const isBad = (n: number): boolean => n % 100 === 50;

function csv(): string {
  const lines = ['E-mail,First Name,Last Name,Mobile,Source,Tags,Notes,City,Owner'];
  for (let n = 0; n < ROWS; n += 1)
    lines.push(
      `${isBad(n) ? `nobody ${n}` : `lead-${n}@example.com`},Aroha,Ngata ${n},+64 21 555 ${n},Website,"Website lead, Brochure","Would like to see a two-bedroom apartment, number ${n}.",Auckland,Hana`,
    );
  return `${lines.join('\n')}\n`;
}

/** Inserts as many leads by SQL alone; rows a second. */
async function floor(db: Pool, accountId: string): Promise<number> {
  const tags = [uuidv7(), uuidv7()];
  await db.query({
    name: '',
    text: `insert into tags (account_id, id, label, label_key) select $1, id, id::text, id::text from unnest($2::uuid[]) as id`,
    values: [accountId, tags],
  });
  const startMs = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < ROWS) {
      const first = next;
      next += SET;
      await db.query({ name: 'floor', text: FLOOR, values: [accountId, leads(first), tags] });
    }
  };
  await Promise.all([lane(), lane()]);
  return ROWS / ((performance.now() - startMs) / 1000);
}

function leads(first: number): string {
  const all = Array.from({ length: Math.min(SET, ROWS - first) }, (_, index) => ({
    id: uuidv7(),
    note_id: uuidv7(),
    email: `lead-${first + index}@example.com`,
    last_name: `Ngata ${first + index}`,
    phone: `+64 21 555 ${first + index}`,
    note: `Would like to see a two-bedroom apartment, number ${first + index}.`,
  }));
  return JSON.stringify(all);
}

const FLOOR = `with lead as materialized (
    select * from json_to_recordset($2::json)
      as r(id uuid, note_id uuid, email text, last_name text, phone text, note text)
  ), made as (
    insert into contacts (account_id, id, email, email_key, name, first_name, last_name, phone_mobile, stage, source,
      city_name, imported_at)
    select $1, id, email, email, 'Aroha', 'Aroha', last_name, phone, 'New', 'Website', 'Auckland', now() from lead
  ), tagged as (
    insert into contact_tags (account_id, contact_id, tag_id, id)
    select $1, lead.id, tag, gen_random_uuid() from lead, unnest($3::uuid[]) as tag
  )
  insert into activities (account_id, id, contact_id, type, body, occurred_at)
  select $1, note_id, id, 'note', note, now() from lead`;

/** Runs the command; gives its output, seconds, and greatest resident memory in MB. */
async function importFile(url: string, slug: string, file: string, report: string) {
  const env = { ...process.env, DATABASE_URL: url };
  const args = [BIN, 'import', slug, file, '--report', report];
  const startMs = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let memoryMb = 0;
  const timer = setInterval(() => {
    memoryMb = Math.max(memoryMb, residentMb(child.pid ?? 0));
  }, 100);
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearInterval(timer);
  if (child.exitCode !== 0) throw new Error(`the import ended with ${child.exitCode}`);
  return { stdout, seconds: (performance.now() - startMs) / 1000, memoryMb };
}

// The system's own note of the greatest; none any more at the very end.
function residentMb(pid: number): number {
  try {
    const kib = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round((Number(kib) * 1024) / 1e6);
  } catch {
    return 0;
  }
}

function check(stdout: string, report: string): void {
  const bad = Array.from({ length: ROWS }, (_, n) => n).filter(isBad).length;
  const counts = [ROWS - bad, 0, bad].map((each) => each.toLocaleString('en'));
  const expected = `${counts[0]} created, ${counts[1]} merged, ${counts[2]} refused`;
  if (!stdout.includes(expected)) throw new Error(`not ${expected}: ${stdout}`);
  const lines = readFileSync(report, 'utf8').trimEnd().split('\n').length - 1;
  if (lines !== bad) throw new Error(`${lines} rows are in the report`);
}

/** The milliseconds that batches of 1,000 new leads took over HTTP, in order. */
async function batches(url: string, key: string): Promise<number[]> {
  const times: number[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const contacts = Array.from({ length: 1_000 }, (_, n) => ({
      email: `batch-${batch}-${n}@example.com`,
      firstName: 'Aroha',
      mobilePhone: `+64 21 555 ${n}`,
      tags: ['Website lead', 'Brochure'],
      notes: `Would like to see a two-bedroom apartment, number ${n}.`,
    }));
    const startMs = performance.now();
    const response = await fetch(`${url}/api/v1/contacts/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ contacts }),
    });
    const { summary } = (await response.json()) as { summary: { created: number } };
    if (summary.created !== 1_000) throw new Error(JSON.stringify(summary));
    times.push(performance.now() - startMs);
  }
  return times.toSorted((a, b) => a - b);
}

await withService(async ({ db, url, databaseUrl }) => {
  console.log(machine());
  const folder = await mkdtemp(join(tmpdir(), 'offplan-bench-'));
  const accountOf = async (slug: string): Promise<string> => {
    await loadAccount(db, accountFile(slug));
    return (await accountFindBySlug(db, slug)) ?? '';
  };
  const least = await floor(db, await accountOf('floor'));
  console.log(`floor: ${Math.round(least)} rows/s`);

  await accountOf('file');
  const [file, report] = [join(folder, 'contacts.csv'), join(folder, 'refused.csv')];
  writeFileSync(file, csv());
  const { stdout, seconds, memoryMb } = await importFile(databaseUrl, 'file', file, report);
  check(stdout, report);
  const rate = ROWS / seconds;
  console.log(
    `offplan import: ${ROWS} rows in ${seconds.toFixed(1)} s, ${Math.round(rate)} rows/s, ratio ${(rate / least).toFixed(2)}, ${memoryMb} MB`,
  );

  const key = await issueKey(db, await accountOf('batch'), { name: 'b', access: 'read-write' });
  const times = await batches(url, key);
  const [median, worst] = [times[BATCHES >> 1] ?? 0, times.at(-1) ?? 0];
  console.log(`batch of 1,000: median ${Math.round(median)} ms, worst ${Math.round(worst)} ms`);
  await rm(folder, { recursive: true });
});
