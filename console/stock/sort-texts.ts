import type { UnitSort } from './filter.ts';

export const texts = {
  sort: 'Order',
  sorts: {
    project: 'By project',
    '-project': 'By project, Z to A',
    position: 'Own order',
    '-position': 'Own order, reversed',
    price: 'Lowest price first',
    '-price': 'Highest price first',
    name: 'Name, A to Z',
    '-name': 'Name, Z to A',
    '-updatedAt': 'Latest change first',
    updatedAt: 'Oldest change first',
  } as Readonly<Record<UnitSort, string>>,
};
