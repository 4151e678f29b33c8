/*
 * An account file of many contacts: loaded, loaded again (nothing changes), and exported. Each contact has
 * three tags, one or two activities and a link.
 *
 *   node bench/load.ts [CONTACTS]
 */
import { uuidv7 } from 'uuidv7';
import { exportAccount } from '../src/portability/export.ts';
import { loadAccount } from '../src/portability/load.ts';
import { accountFile, machine, withService } from './service.ts';

const count = Number(process.argv[2] ?? 100_000);
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

const text = JSON.stringify({
  ...accountFile('bench'),
  projects,
  contacts: Array.from({ length: count }, contact),
});

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startMs = performance.now();
  await work();
  const seconds = (performance.now() - startMs) / 1_000;
  const rss = Math.round(process.memoryUsage().rss / 2 ** 20);
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} contacts/s, ${rss} MiB resident`,
  );
}

await withService(async ({ db }) => {
  console.log(`${machine()}; ${count} contacts, ${Math.round(text.length / 2 ** 20)} MiB`);
  await timed('load', () => loadAccount(db, text));
  await timed('load again', () => loadAccount(db, text));
  await timed('export', () => exportAccount(db, 'bench', () => undefined));
});
