import { Type, type Static, type TProperties, type TSchema, type TSchemaOptions } from 'typebox';
import { degrees, nullable, oneOf } from '../platform/fields/index.ts';
import { LIST_INCLUDES, PROJECT_INCLUDES } from './includes.ts';
import { PROJECT_STATUSES, UNIT_STATUSES, UnitFields } from '../projects/index.ts';

/** Makes a `$ref` to a named schema. Unlike `Type.Ref`, it keeps the static type of the schema. */
export function ref<T extends TSchema>(schema: T & { $id?: string }) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` });
}

function nullableRef<T extends TSchema>(schema: T, description: string) {
  return Type.Unsafe<Static<T> | null>({ anyOf: [ref(schema), { type: 'null' }], description });
}

/** Makes the schema of an object that always has all of these fields. */
function answer<Fields extends TProperties>(fields: Fields, options: TSchemaOptions) {
  return Type.Required(Type.Object(fields), options);
}

/** Makes the schema of an object with all `fields`, and with those of `options` that the request includes. */
function answerWith<Fields extends TProperties, Options extends TProperties>(
  fields: Fields,
  more: Options,
  options: TSchemaOptions,
) {
  const { properties } = Type.Required(Type.Object(fields));
  return Type.Object({ ...properties, ...Type.Partial(Type.Object(more)).properties }, options);
}

const text = (description: string, example: string, options: TSchemaOptions = {}) =>
  Type.String({ ...options, description, examples: [example] });

const id = (of: string, example: number) =>
  text(`The identifier of the ${of}, a UUID.`, `019d3a5e-6c00-7b12-8d3c-9f4e6a7b8c0${example}`, {
    format: 'uuid',
  });

const url = (description: string, example: string) => text(description, example, { format: 'uri' });

const timestamp = (description: string) =>
  text(description, '2026-03-31T21:15:09.204Z', { format: 'date-time' });

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] });

export const Image = answer(
  {
    key: text('The storage key of the image.', 'harakeke-rise/hero.jpg'),
    url: url(
      'Where the image is: the media base, one slash, the key.',
      'https://crm.example.com/media/harakeke-rise/hero.jpg',
    ),
  },
  { $id: 'Image', description: 'A picture: a logo, a hero or gallery image, a floor plan.' },
);

export const Organization = answer(
  {
    id: id('organization', 1),
    companyName: text('Its legal name.', 'Tōtara Living Ltd'),
    displayName: text('The name that buyers know.', 'Tōtara Living'),
    intro: nullable('string', 'A few words about it.', { examples: ['Homes that face north.'] }),
    email: text('Its contact email.', 'sales@totara-living.example'),
    phone: nullable('string', 'Its contact phone number.', { examples: ['+64 9 555 0142'] }),
    location: text('Where it is.', 'Auckland, New Zealand'),
    websiteUrl: url('Its website.', 'https://totara-living.example'),
    logoImage: nullableRef(Image, 'Its logo.'),
  },
  { $id: 'Organization', description: 'The developer that the API key belongs to.' },
);

export const Unit = answer(
  {
    id: id('unit', 3),
    ...UnitFields,
    name: text('The name of the unit.', '3.07'),
    status: oneOf(
      UNIT_STATUSES.filter((status) => status !== 'Withdrawn'),
      'Where its sale stands. A withdrawn unit is not shown at all.',
      { examples: ['Available'] },
    ),
    floorPlanImage: nullableRef(Image, 'Its floor plan.'),
  },
  { $id: 'Unit', description: 'One thing for sale in a project.' },
);

const identity = {
  id: id('project', 2),
  slug: text('Its name in the path of `GET /projects/{slug}`.', 'harakeke-rise'),
  name: text('What the project is called.', 'Harakeke Rise'),
  status: oneOf(PROJECT_STATUSES, 'Where the sales of the project stand.', {
    examples: ['Available'],
  }),
};

const address = {
  addressLine1: text('Street address.', '18 Harakeke Street'),
  addressLine2: nullable('string', 'The second line of the address.'),
  postalCode: text('Postal code.', '0110'),
};

const place = {
  cityName: text('City, town or district.', 'Whangārei'),
  regionName: text('Region.', 'Northland'),
  regionSlug: text('The slug of the region. The parameter `region` accepts it, too.', 'northland'),
  suburbName: text('Suburb.', 'Regent'),
};

const pictures = {
  heroImage: nullableRef(Image, 'The picture that stands for the project.'),
  galleryImages: Type.Array(ref(Image), { description: 'In display order.' }),
};

const units = Type.Array(ref(Unit), {
  description: "The units of the project in the developer's own order, withdrawn ones left out.",
});

const price = (description: string) => nullable('number', description, { examples: [849_000] });

const priceRange = {
  priceFrom: price('The lowest price of the available units; null when none has a price.'),
  priceTo: price('The highest price of the available units.'),
};

export const PriceRange = answer(priceRange, {
  $id: 'PriceRange',
  description: 'The prices of the available units, with `include=priceRange`.',
});

const coordinates = {
  latitude: degrees(90, 'The latitude in decimal degrees.', { examples: [-35.7251] }),
  longitude: degrees(180, 'The longitude in decimal degrees.', { examples: [174.3237] }),
  updatedAt: timestamp(
    'When anything shown here last changed. Unique within the account, and increasing in the order of the changes.',
  ),
};

const counts = {
  unitCount: count('How many units are shown.'),
  availableUnitCount: count('How many of them have the status Available.'),
};

export const Summary = answer(
  { ...coordinates, ...counts },
  {
    $id: 'ProjectSummary',
    description: 'With `include=summary`: the members of a stocklist item that the project lacks.',
  },
);

export const StocklistItem = answerWith(
  {
    ...identity,
    ...address,
    ...coordinates,
    ...place,
    ...pictures,
    ...counts,
    units,
  },
  priceRange,
  { $id: 'StocklistItem', description: 'A project as the stocklist shows it.' },
);

export const RelatedProject = answer(
  {
    ...identity,
    suburbName: place.suburbName,
    cityName: place.cityName,
    regionName: place.regionName,
    heroImage: pictures.heroImage,
  },
  {
    $id: 'RelatedProject',
    description: 'A project that the developer shows beside another.',
  },
);

export const ProjectDetail = answer(
  {
    ...identity,
    developmentDescription: text('What is being built.', 'Forty-two apartments above the river.'),
    estimatedCompletionDate: timestamp('When it is expected to be finished.'),
    ...address,
    ...place,
    projectWebsiteUrl: url("The project's own website.", 'https://harakeke-rise.example'),
    ...pictures,
    relatedProjects: Type.Array(ref(RelatedProject), {
      description: 'Live projects of the same developer, in curated order.',
    }),
    units,
  },
  { $id: 'ProjectDetail', description: 'Everything about one project.' },
);

const pagination = answerWith(
  {
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'The limit that was applied: at most 100.',
    }),
    hasNextPage: Type.Boolean(),
    hasPreviousPage: Type.Boolean({ description: 'Whether `page` is greater than 1.' }),
  },
  { totalCount: count('With `include=totalCount`: how many projects match.') },
  { examples: [{ page: 1, limit: 20, hasNextPage: false, hasPreviousPage: false }] },
);

const sent = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const filters = answer(
  {
    region: sent,
    city: sent,
    suburb: sent,
    status: sent,
    updatedSince: sent,
  },
  { description: 'The filters as they were sent; null when not supplied.' },
);

const RemovedProject = answer(
  {
    id: identity.id,
    slug: identity.slug,
    removedAt: timestamp('When it was unpublished or archived.'),
  },
  { $id: 'RemovedProject', description: 'A project that was live.' },
);

export const StocklistResponse = answerWith(
  {
    pagination,
    filters,
    organization: ref(Organization),
    projects: Type.Array(ref(StocklistItem), {
      description: 'The project that changed last comes first; with `cursor`, it comes last.',
    }),
  },
  {
    removed: Type.Array(ref(RemovedProject), {
      description:
        'With `include=removed`: the projects that were live and are not, since `updated_since`. The other filters do not apply to them.',
    }),
  },
  { $id: 'StocklistResponse' },
);

export const ProjectResponse = answerWith(
  { organization: ref(Organization), project: ref(ProjectDetail) },
  { summary: ref(Summary), priceRange: ref(PriceRange) },
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
  PriceRange,
  Summary,
  RemovedProject,
  StocklistResponse,
  ProjectResponse,
];

const include = (names: readonly string[]) =>
  Type.String({
    description: `Further members of the answer, with commas between them: ${names.join(', ')}.`,
  });

/**
 * The parameters in the OpenAPI document. They validate nothing: `parseStocklistQuery` reads the query. When a reader tries the
 * route on the reference page, it sends all examples, so together they must match a project of the demo.
 */
export const StocklistQuery = Type.Partial(
  Type.Object({
    page: Type.Integer({
      minimum: 1,
      maximum: 2 ** 31,
      default: 1,
      description: 'The page, counted from 1. A page past the end is empty.',
    }),
    limit: Type.Integer({
      minimum: 1,
      default: 20,
      description: 'How many projects are on a page. More than 100 is taken as 100.',
    }),
    region: text('The name or the slug of a region.', 'Auckland'),
    city: text('The name of a city.', 'Auckland'),
    suburb: text('The name of a suburb.', 'Ōrākei'),
    status: text(`A project status: ${PROJECT_STATUSES.join(', ')}.`, 'Available'),
    updated_since: text(
      'An ISO 8601 date-time with `Z` or an offset: only projects whose `updatedAt` is after it are listed.',
      '2026-01-01T00:00:00.000Z',
      { format: 'date-time' },
    ),
    include: include(LIST_INCLUDES),
    cursor: Type.String({
      description:
        '`start` walks through the projects from the one that changed longest ago. The header `Link` has the next page, whose cursor works ' +
        'with the same filters. No project is missed, and one that changes meanwhile comes again at the end. Leave out `page`.',
    }),
  }),
);

export const ProjectQuery = Type.Object({ include: Type.Optional(include(PROJECT_INCLUDES)) });

export const ProjectParams = Type.Object({
  slug: text('The slug of a live project, as the stocklist shows it.', 'harbourlight'),
});
