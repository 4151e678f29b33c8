import { Type } from 'typebox';
import {
  amount,
  name,
  nullable,
  nullableDateOrInstant,
  nullableEnum,
  nullablePicture,
  nullableWebUrl,
  oneOf,
  pictures,
  SLUG,
  slug,
  textOrNumber,
  type StoredRow,
} from '../platform/fields/index.ts';

/** The stages of a project's sales. */
export const PROJECT_STATUSES = [
  'Coming Soon',
  'Available',
  'Sold Out',
  'On Hold',
  'Completed',
] as const;

/** The publications of a project. The stock endpoints show only live projects. */
export const PUBLICATIONS = ['draft', 'live', 'archived'] as const;

export const UNIT_TYPES = [
  'Apartment',
  'Townhouse',
  'House',
  'Land',
  'Commercial',
  'Other',
] as const;

export const UNIT_STATUSES = [
  'Coming Soon',
  'Available',
  'On Hold',
  'Reserved',
  'Under Contract',
  'Unconditional',
  'Settled',
  'Withdrawn',
] as const;

/** The highest price. Up to it, a JavaScript number is exact to the cent. */
export const PRICE_MAX = 1e13;

/** The fields of a unit that can be written, in the order of an export. */
export const UnitFields = {
  name: name('What the unit is called. Required when the unit is created.'),
  lotNumber: textOrNumber('Its lot on the plan; kept as given.', { examples: [27, 'Lot 27A'] }),
  unitType: nullableEnum(UNIT_TYPES, 'What kind of unit it is.'),
  status: oneOf(
    UNIT_STATUSES,
    'Where its sale stands. Required when a request creates the unit; in an account file, Coming Soon by default. ' +
      'A Withdrawn unit is stored and not shown.',
  ),
  level: textOrNumber('The floor it is on; kept as given.', { examples: [3, 'Ground'] }),
  bedrooms: amount('How many bedrooms it has; a studio has 0.', { examples: [2] }),
  bathrooms: amount('Its bathrooms.', { examples: [1.5] }),
  carSpaces: amount('Its car spaces.', { examples: [1] }),
  aspect: nullable('string', 'Where it faces.', { examples: ['North-west'] }),
  internalAreaSqm: amount('The internal area in square metres.', { examples: [74.5] }),
  externalAreaSqm: amount('The external area in square metres.', { examples: [11] }),
  landAreaSqm: amount('The area of the land in square metres.'),
  price: amount('Its price; null when it is not shown.', {
    maximum: PRICE_MAX,
    examples: [849_000],
  }),
  priceDisplay: nullable('string', 'The price, or what is shown in its place.', {
    examples: ['$849,000', 'Price by negotiation'],
  }),
  currency: nullable('string', 'The currency of the price: any text, usually an ISO 4217 code.', {
    examples: ['NZD'],
  }),
  floorPlanImage: nullablePicture('Its floor plan.'),
};

export type Unit = StoredRow<typeof UnitFields> & {
  id: string;
  projectId: string;
  position: number;
};

const LIVE = 'A live project must have it.';

/** Makes the schema of a text that a live project must have. */
const liveText = (description: string) => nullable('string', `${description} ${LIVE}`);

/** Makes the schema of a latitude or longitude, from -limit to limit, which a live project must have. */
const liveDegrees = (name: string, limit: number) =>
  nullable('number', `The ${name} in degrees. ${LIVE}`, { minimum: -limit, maximum: limit });

/** The fields of a project that can be written, in the order of an export. */
export const ProjectFields = {
  slug: Type.Optional(
    slug('Its name in paths, unique in the account. Required when it is created.'),
  ),
  name: name('What the project is called. Required when it is created.'),
  publication: oneOf(PUBLICATIONS, 'Only live projects are shown; draft by default.'),
  status: oneOf(PROJECT_STATUSES, 'Where its sales stand; Coming Soon by default.'),
  developmentDescription: liveText('What is being built, in at most 64 KiB.'),
  estimatedCompletionDate: nullableDateOrInstant(`When it is expected to be finished. ${LIVE}`),
  addressLine1: liveText('The street address.'),
  addressLine2: nullable('string', 'The second line of the address.'),
  postalCode: liveText('The postal code.'),
  latitude: liveDegrees('latitude', 90),
  longitude: liveDegrees('longitude', 180),
  cityName: liveText('The city, town or district.'),
  regionName: liveText('The region.'),
  regionSlug: nullable('string', 'Made from regionName, unless it was chosen.', {
    pattern: SLUG,
  }),
  suburbName: liveText('The suburb.'),
  projectWebsiteUrl: nullableWebUrl(`The project's own website. ${LIVE}`),
  heroImage: nullablePicture('The picture that stands for the project.'),
  galleryImages: pictures('All pictures of the gallery, in display order.'),
};

export type Project = StoredRow<typeof ProjectFields> & { id: string };

/** The fields that each live project has: the stock endpoints never show them as null. A draft may lack them. */
export const LIVE_FIELDS = [
  'developmentDescription',
  'estimatedCompletionDate',
  'addressLine1',
  'postalCode',
  'latitude',
  'longitude',
  'cityName',
  'regionName',
  'regionSlug',
  'suburbName',
  'projectWebsiteUrl',
] as const satisfies (keyof Project)[];
