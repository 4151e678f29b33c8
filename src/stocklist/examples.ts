import type { Static } from 'typebox';
import type { ProjectResponse, StocklistResponse } from './schemas.ts';

type Stocklist = Static<typeof StocklistResponse>;
type Project = Static<typeof ProjectResponse>;

const media = (key: string) => ({ key, url: `https://crm.example.com/media/${key}` });

const organization: Stocklist['organization'] = {
  id: '019d3a5e-6c00-7a41-8f0e-2b6d5c9a1e01',
  companyName: 'Tōtara Living Limited',
  displayName: 'Tōtara Living',
  intro: 'Homes with a north-facing side, from Northland to Ōtautahi.',
  email: 'sales@totara-living.example',
  phone: '+64 9 555 0142',
  location: 'Auckland, New Zealand',
  websiteUrl: 'https://totara-living.example',
  logoImage: media('totara-living/logo.svg'),
};

const units: Project['project']['units'] = [
  {
    id: '019d3a5e-6c00-7c53-9a11-4e7f8a0b2c03',
    name: '3.07',
    lotNumber: 27,
    unitType: 'Apartment',
    status: 'Available',
    level: 3,
    bedrooms: 2,
    bathrooms: 1.5,
    carSpaces: 1,
    aspect: 'North-west',
    internalAreaSqm: 74.5,
    externalAreaSqm: 11,
    landAreaSqm: null,
    price: 849000,
    priceDisplay: '$849,000',
    currency: 'NZD',
    floorPlanImage: media('harakeke-rise/3-07.svg'),
  },
];

const galleryImages = [media('harakeke-rise/street.jpg'), media('harakeke-rise/garden.jpg')];

const place = {
  cityName: 'Whangārei',
  regionName: 'Northland',
  regionSlug: 'northland',
  suburbName: 'Regent',
};

export const stocklistExample: Stocklist = {
  pagination: { page: 1, limit: 20, hasNextPage: false, hasPreviousPage: false },
  filters: { region: 'northland', city: null, suburb: null, status: null, updatedSince: null },
  organization,
  projects: [
    {
      id: '019d3a5e-6c00-7b12-8d3c-9f4e6a7b8c02',
      slug: 'harakeke-rise',
      name: 'Harakeke Rise',
      status: 'Available',
      addressLine1: '18 Harakeke Street',
      addressLine2: null,
      postalCode: '0112',
      latitude: -35.7168,
      longitude: 174.3214,
      updatedAt: '2026-03-31T21:15:09.204Z',
      ...place,
      heroImage: media('harakeke-rise/hero.jpg'),
      galleryImages,
      unitCount: 1,
      availableUnitCount: 1,
      units,
    },
  ],
};

export const projectExample: Project = {
  organization,
  project: {
    id: '019d3a5e-6c00-7b12-8d3c-9f4e6a7b8c02',
    slug: 'harakeke-rise',
    name: 'Harakeke Rise',
    status: 'Available',
    developmentDescription: 'Forty-two apartments above the Hātea River, each with a deck.',
    estimatedCompletionDate: '2027-11-29T11:00:00.000Z',
    addressLine1: '18 Harakeke Street',
    addressLine2: null,
    postalCode: '0112',
    ...place,
    projectWebsiteUrl: 'https://harakeke-rise.example',
    heroImage: media('harakeke-rise/hero.jpg'),
    galleryImages,
    relatedProjects: [
      {
        id: '019d3a5e-6c00-7b12-8d3c-9f4e6a7b8c04',
        slug: 'kauri-mews',
        name: 'Kauri Mews',
        status: 'Coming Soon',
        suburbName: 'Kensington',
        cityName: 'Whangārei',
        regionName: 'Northland',
        heroImage: null,
      },
    ],
    units,
  },
};
