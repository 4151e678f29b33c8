import { PROJECT_STATUSES, UNIT_STATUSES, UNIT_TYPES } from '../projects/index.ts';
import { Type, type Static, type TSchema } from 'typebox';

// One `type: [x, 'null']` reads better in a client's generator than a union of two schemas.
function nullable<T extends 'string' | 'number'>(type: T, options: object = {}) {
  type Value = T extends 'string' ? string : number;
  return Type.Unsafe<Value | null>({ type: [type, 'null'], ...options });
}

function nullableEnum<T extends string>(values: readonly T[], options: object = {}) {
  return Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...values, null], ...options });
}

/** Type.Ref knows a name alone; this one keeps the static type of what it names. */
export function ref<T extends TSchema>(schema: T & { $id?: string }) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` });
}

function nullableRef<T extends TSchema>(schema: T, options: object = {}) {
  return Type.Unsafe<Static<T> | null>({ anyOf: [ref(schema), { type: 'null' }], ...options });
}

const id = (of: string) =>
  Type.String({ format: 'uuid', description: `The identifier of the ${of}, a UUID.` });

const url = (description: string) => Type.String({ format: 'uri', description });

const timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-03-31T21:15:09.204Z'] });

const projectStatus = Type.Enum(PROJECT_STATUSES, {
  type: 'string',
  description: 'Where the sales of the project stand.',
});

export const Image = Type.Object(
  {
    key: Type.String({
      description: 'The storage key of the image.',
      examples: ['harakeke-rise/hero.jpg'],
    }),
    url: url('Where the image is: the media base, one slash, the key.'),
  },
  {
    $id: 'Image',
    description: 'A picture: a logo, a hero or gallery image, a floor plan.',
    examples: [
      { key: 'harakeke-rise/hero.jpg', url: 'https://media.example.com/harakeke-rise/hero.jpg' },
    ],
  },
);

export const Organization = Type.Object(
  {
    id: id('organization'),
    companyName: Type.String({ description: 'Its legal name.', examples: ['Tōtara Living Ltd'] }),
    displayName: Type.String({ description: 'What buyers know it as.' }),
    intro: nullable('string', { description: 'A few words about it.' }),
    email: Type.String({ description: 'Its contact email.', examples: ['sales@totara.example'] }),
    phone: nullable('string', { description: 'Its contact phone number.' }),
    location: Type.String({ description: 'Where it is.', examples: ['Auckland, New Zealand'] }),
    websiteUrl: url('Its website.'),
    logoImage: nullableRef(Image, { description: 'Its logo.' }),
  },
  { $id: 'Organization', description: 'The developer that the API key belongs to.' },
);

export const Unit = Type.Object(
  {
    id: id('unit'),
    name: Type.String({ description: 'What the unit is called.', examples: ['3.07'] }),
    lotNumber: Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      description: 'Its lot on the plan: a string or a number, as the developer gave it.',
      examples: [27, 'Lot 27A'],
    }),
    unitType: nullableEnum(UNIT_TYPES, { description: 'What kind of unit it is.' }),
    status: Type.Enum(
      UNIT_STATUSES.filter((status) => status !== 'Withdrawn'),
      {
        type: 'string',
        description: 'Where its sale stands. A withdrawn unit is not shown at all.',
      },
    ),
    level: Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      description: 'The floor it is on: a string or a number, as the developer gave it.',
      examples: [3, 'Ground'],
    }),
    bedrooms: nullable('number', { minimum: 0, description: 'A studio has 0.' }),
    bathrooms: nullable('number', { minimum: 0, description: 'Its bathrooms.', examples: [1.5] }),
    carSpaces: nullable('number', { minimum: 0, description: 'Its car spaces.' }),
    aspect: nullable('string', { description: 'Where it faces.', examples: ['North-west'] }),
    internalAreaSqm: nullable('number', { minimum: 0, description: 'In square metres.' }),
    externalAreaSqm: nullable('number', { minimum: 0, description: 'In square metres.' }),
    landAreaSqm: nullable('number', { minimum: 0, description: 'In square metres.' }),
    price: nullable('number', {
      minimum: 0,
      description: 'Its price, or null when the developer does not show it.',
      examples: [849000],
    }),
    priceDisplay: nullable('string', {
      description: 'The price as it is to be shown, or what is shown in its place.',
      examples: ['$849,000', 'Price by negotiation'],
    }),
    currency: nullable('string', { description: 'Of the price.', examples: ['NZD'] }),
    floorPlanImage: nullableRef(Image, { description: 'Its floor plan.' }),
  },
  { $id: 'Unit', description: 'One thing for sale in a project.' },
);

const identity = {
  id: id('project'),
  slug: Type.String({
    description: 'Its name in the path of `GET /projects/{slug}`.',
    examples: ['harakeke-rise'],
  }),
  name: Type.String({ description: 'What the project is called.', examples: ['Harakeke Rise'] }),
  status: projectStatus,
};

const address = {
  addressLine1: Type.String({ description: 'Street address.', examples: ['18 Harakeke Street'] }),
  addressLine2: nullable('string', { description: 'What else finds it.' }),
  postalCode: Type.String({ description: 'Postal code.', examples: ['0110'] }),
};

const place = {
  cityName: Type.String({ description: 'City, town or district.', examples: ['Whangārei'] }),
  regionName: Type.String({ description: 'Region.', examples: ['Northland'] }),
  regionSlug: Type.String({
    description: 'The region, as `region` takes it, too.',
    examples: ['northland'],
  }),
  suburbName: Type.String({ description: 'Suburb.', examples: ['Regent'] }),
};

const pictures = {
  heroImage: nullableRef(Image, { description: 'The picture that stands for the project.' }),
  galleryImages: Type.Array(ref(Image), { description: 'In display order.' }),
};

const units = Type.Array(ref(Unit), {
  description: "The units of the project in the developer's own order, withdrawn ones left out.",
});

export const StocklistItem = Type.Object(
  {
    ...identity,
    ...address,
    latitude: Type.Number({
      description: 'In decimal degrees.',
      minimum: -90,
      maximum: 90,
      examples: [-35.7251],
    }),
    longitude: Type.Number({
      description: 'In decimal degrees.',
      minimum: -180,
      maximum: 180,
      examples: [174.3237],
    }),
    updatedAt: timestamp(
      'When anything shown here last changed. Unique within the account, and increasing in the order of the changes.',
    ),
    ...place,
    ...pictures,
    unitCount: Type.Integer({ minimum: 0, description: 'How many units are shown.' }),
    availableUnitCount: Type.Integer({
      minimum: 0,
      description: 'How many of them have the status Available.',
    }),
    units,
  },
  { $id: 'StocklistItem', description: 'A project as the stocklist shows it.' },
);

export const RelatedProject = Type.Object(
  {
    ...identity,
    suburbName: place.suburbName,
    cityName: place.cityName,
    regionName: place.regionName,
    heroImage: pictures.heroImage,
  },
  { $id: 'RelatedProject', description: 'A project that the developer shows beside another.' },
);

export const ProjectDetail = Type.Object(
  {
    ...identity,
    developmentDescription: Type.String({ description: 'What is being built.' }),
    estimatedCompletionDate: timestamp('When it is expected to be finished.'),
    ...address,
    ...place,
    projectWebsiteUrl: url("The project's own website."),
    ...pictures,
    relatedProjects: Type.Array(ref(RelatedProject), {
      description: 'Live projects of the same developer, in curated order.',
    }),
    units,
  },
  { $id: 'ProjectDetail', description: 'Everything about one project.' },
);

const pagination = Type.Object({
  page: Type.Integer({ minimum: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: 100, description: 'As applied: at most 100.' }),
  hasNextPage: Type.Boolean(),
  hasPreviousPage: Type.Boolean({ description: 'Whether `page` is greater than 1.' }),
});

const filters = Type.Object(
  {
    region: nullable('string'),
    city: nullable('string'),
    suburb: nullable('string'),
    status: nullable('string'),
    updatedSince: nullable('string'),
  },
  { description: 'What was applied, as it was sent; null when it was not supplied.' },
);

export const StocklistResponse = Type.Object(
  {
    pagination,
    filters,
    organization: ref(Organization),
    projects: Type.Array(ref(StocklistItem), {
      description: 'The one that changed last comes first.',
    }),
  },
  { $id: 'StocklistResponse' },
);

export const ProjectResponse = Type.Object(
  { organization: ref(Organization), project: ref(ProjectDetail) },
  { $id: 'ProjectResponse' },
);

/** Every schema that has a name in the OpenAPI document. */
export const STOCKLIST_SCHEMAS = [
  Image,
  Organization,
  Unit,
  StocklistItem,
  RelatedProject,
  ProjectDetail,
  StocklistResponse,
  ProjectResponse,
];

/** For the document alone: filters.ts reads the texts that arrive, and says what they must hold. */
export const StocklistQuery = Type.Object({
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2 ** 31,
      default: 1,
      description: 'The page, counted from 1. A page past the end is empty.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 20,
      description: 'How many projects are on a page. More than 100 is taken as 100.',
    }),
  ),
  region: text('The name or the slug of a region.', 'Auckland'),
  city: text('The name of a city.', 'Auckland'),
  suburb: text('The name of a suburb.', 'Ōrākei'),
  status: text(`A project status: ${PROJECT_STATUSES.join(', ')}.`, 'Available'),
  updated_since: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'An ISO 8601 date-time with `Z` or an offset: only projects whose `updatedAt` is after it are listed.',
      examples: ['2026-01-01T00:00:00.000Z'],
    }),
  ),
});

// The examples are what a reference page sends when it is tried out: together they find a project of the demo.

function text(description: string, example: string) {
  return Type.Optional(Type.String({ description, examples: [example] }));
}

export const ProjectParams = Type.Object({
  slug: Type.String({
    description: 'The slug of a live project, as the stocklist shows it.',
    examples: ['harbourlight'],
  }),
});
