import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import type { Bench } from '../bench.ts';
import { accountFile } from '../data.ts';
import { figure, type Comparison, type Sample } from '../measure.ts';
import { cpuMs, runToEnd } from '../process.ts';

const CONTACTS = 100_000;
const PROJECTS = 20;
const UNITS = 50;
const STAGES = ['New', 'Contacted', 'Qualified', 'Viewing'];

const projects = Array.from({ length: PROJECTS }, (_, index) => ({
  id: uuidv7(),
  slug: `project-${index}`,
  name: `Project ${index}`,
  publication: 'live',
  status: 'Available',
  developmentDescription: 'Apartments above the river.',
  estimatedCompletionDate: '2028-03-31',
  addressLine1: '18 Harakeke Street',
  postalCode: '0112',
  latitude: -35.7168,
  longitude: 174.3214,
  cityName: 'Whangārei',
  regionName: 'Northland',
  suburbName: 'Regent',
  projectWebsiteUrl: 'https://harakeke-rise.example',
  units: Array.from({ length: UNITS }, (__, unit) => ({
    id: uuidv7(),
    name: `Unit ${unit}`,
    status: 'Available',
    bedrooms: unit % 4,
    price: 640_000 + unit * 5_000,
  })),
}));

function contact(_: unknown, index: number): object {
  const project = projects[index % PROJECTS];
  const activities = Array.from({ length: 1 + (index % 2) }, (__, day) => ({
    type: 'note',
    body: `Called about the apartments, call number ${day + 1} with contact ${index}.`,
    occurredAt: `2026-03-${10 + day}T21:15:09.204Z`,
  }));
  return {
    email: `contact-${index}@example.com`,
    firstName: 'Aroha',
    lastName: `Ngata ${index}`,
    name: `Aroha Ngata ${index}`,
    mobilePhone: '+64 21 555 0142',
    source: 'Website',
    buyerType: 'Investor',
    budget: 600_000 + index,
    cityName: 'Whangārei',
    stage: STAGES[index % STAGES.length],
    importedAt: '2026-03-01T00:00:00.000Z',
    tags: ['Website lead', `Campaign ${index % 100}`, `Suburb ${index % 500}`],
    activities,
    links: [{ projectId: project?.id, unitId: project?.units[index % UNITS]?.id }],
  };
}

/** Measures the commands on an account file of many contacts: a load, a second load that changes nothing, and an export. */
export async function loading(bench: Bench): Promise<Comparison[]> {
  const count = bench.quick ? CONTACTS / 10 : CONTACTS;
  const contacts = Array.from({ length: count }, contact);
  const file = join(bench.folder, 'account.json');
  const text = JSON.stringify({ ...accountFile('loading'), projects, contacts });
  writeFileSync(file, text);
  async function timed(...args: string[]): Promise<Sample> {
    const before = cpuMs(bench.postgresPid);
    const ended = await runToEnd([...bench.offplan, ...args], { DATABASE_URL: bench.databaseUrl });
    return {
      perSecond: count / ended.seconds,
      memoryMb: ended.memoryMb,
      cpuUs: (ended.cpuMs * 1_000) / count,
      postgresUs: ((cpuMs(bench.postgresPid) - before) * 1_000) / count,
    };
  }
  const samples = [
    ['load', await timed('load', file)],
    ['load again', await timed('load', file)],
    ['export', await timed('export', 'loading')],
  ] as const;
  return [
    {
      work: `an account file of ${count} contacts, ${Math.round(text.length / 1e6)} MB`,
      figures: samples.map(([name, sample]) => figure(name, [sample])),
      verdicts: [],
    },
  ];
}
