import { formatCount } from '../../parts/text/format.ts';

export const texts = {
  clear: 'Clear selection',
  price: 'Change prices',
  selectAll: (count: number) => `Select all ${count}`,
  selected: (count: number) => `${formatCount(count, 'unit', 'units')} selected`,
  status: 'Set status',
};
