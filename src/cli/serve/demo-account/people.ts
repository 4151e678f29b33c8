import { readFileSync } from 'node:fs';
import { ROOT } from '../../../platform/config/index.ts';
import type { Random } from './random.ts';

interface NamesFile {
  groups: { weight: number; first: string; last: string }[];
  /** Names that need much space on the page. */
  long: [first: string, last: string][];
  domains: string[];
  companies: string[];
  homes: Place<string>[];
  streets: string;
}

interface Place<Suburbs> {
  city: string;
  region: string;
  country?: string;
  state?: string | null;
  /** The area code of landline phones; empty for a place whose people have only mobile phones. */
  area: string;
  weight: number;
  suburbs: Suburbs;
}

type Home = Place<string[]>;

/** The fields of a contact that identify the person. */
export interface Person {
  email: string;
  firstName: string;
  lastName: string | null;
  name: string;
  phone: string | null;
  mobilePhone: string | null;
  companyName: string | null;
  addressLine1: string | null;
  suburbName: string | null;
  cityName: string | null;
  regionName: string | null;
  postalCode: string | null;
  country: string | null;
  stateOrProvince: string | null;
}

const splitList = (text: string): string[] => text.split(', ');

function readNames() {
  const file = new URL('demo/names.json', ROOT);
  const { groups, homes, streets, ...lists } = JSON.parse(readFileSync(file, 'utf8')) as NamesFile;
  return {
    ...lists,
    streets: splitList(streets),
    groups: groups.map(({ first, last, weight }) => ({
      weight,
      first: splitList(first),
      last: splitList(last),
    })),
    homes: homes.map((home) => ({ ...home, suburbs: splitList(home.suburbs) })),
  };
}

/** Creates a function that makes up people. Each has an email that no other person has and that is not in `taken`. */
export function createPeople(random: Random, taken: string[]): () => Person {
  const { groups, long, domains, companies, homes, streets } = readNames();
  const pickGroup = () => random.pickBy(groups, ({ weight }) => weight);
  const emails = new Set(taken);
  const longNames = long.values();

  function makeName(): [first: string, last: string] {
    // One person in twenty has a family name from another group, or two family names.
    const { first, last } = pickGroup();
    const own = random.pick(random.isChance(0.05) ? pickGroup().last : last);
    return [random.pick(first), random.isChance(0.03) ? `${own}-${random.pick(last)}` : own];
  }

  function makeEmail(first: string, last: string): string {
    const local = [first, last].map(toEmailPart).join(random.pick(['.', '.', '.', '_', '']));
    const domain = random.pick(domains);
    let email = `${local}@${domain}`;
    for (let number = 2; emails.has(email); number += 1) email = `${local}${number}@${domain}`;
    emails.add(email);
    return email;
  }

  // End numbers in 01xx, which are reserved for fiction.
  const makePhone = (area: string) =>
    `+64 ${area} 555 01${String(Math.floor(random.next() * 100)).padStart(2, '0')}`;

  function makeHome({ city, region, country = 'New Zealand', state = null, suburbs }: Home) {
    const [, suburbName = '', postalCode = ''] = /^(.*) (\d+)$/.exec(random.pick(suburbs)) ?? [];
    const number = Math.ceil(random.next() ** 2 * 240);
    return {
      addressLine1: random.isChance(0.7) ? `${number} ${random.pick(streets)}` : null,
      suburbName,
      cityName: city,
      regionName: region,
      postalCode,
      country,
      stateOrProvince: state,
    };
  }

  return () => {
    const isLong = random.isChance(0.0015);
    const [first, last] = (isLong ? longNames.next().value : undefined) ?? makeName();
    const home = random.pickBy(homes, ({ weight }) => weight);
    const isShort = random.isChance(0.03);
    const name = `${first} ${last}`;
    return {
      email: makeEmail(first, last),
      firstName: first,
      lastName: isShort ? null : last,
      // Some people fill in forms without capitals.
      name: isShort ? first : random.isChance(0.02) ? name.toLowerCase() : name,
      phone: home.area !== '' && random.isChance(0.18) ? makePhone(home.area) : null,
      mobilePhone: random.isChance(0.8) ? makePhone(random.pick(['21', '22', '27', '29'])) : null,
      companyName: random.isChance(0.04) ? random.pick(companies).replace('{last}', last) : null,
      ...(random.isChance(0.6) ? NO_HOME : makeHome(home)),
    };
  };
}

const NO_HOME = {
  addressLine1: null,
  suburbName: null,
  cityName: null,
  regionName: null,
  postalCode: null,
  country: null,
  stateOrProvince: null,
};

/** Converts a name to a part of an email: without macrons, apostrophes, spaces and text in brackets. */
function toEmailPart(name: string): string {
  const plain = name.replace(/\(.*\)/, '').normalize('NFD');
  return plain
    .replaceAll('ø', 'o')
    .replaceAll('Ø', 'O')
    .replaceAll('ı', 'i')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
}
