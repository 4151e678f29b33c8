import { formatCount } from '../../parts/text/format.ts';

export const texts = {
  action: (count: number) => `Add ${formatCount(count, 'unit', 'units')}`,
  added: (count: number) => `${formatCount(count, 'unit', 'units')} added`,
  building: 'A building',
  fromLevel: 'From level',
  how: 'What to add',
  name: 'Name',
  one: 'One unit',
  pattern: 'Names',
  patternHint: 'With {level}, {position} and {number}; {position:2} has two digits.',
  perLevel: 'Units on each level',
  perLevelStep: 'More per level',
  perPositionStep: 'More per position',
  price: 'Price of the first',
  priceOne: 'Price',
  removed: (count: number, all: number) =>
    `${count} of ${formatCount(all, 'unit', 'units')} removed again`,
  removing: (count: number) => `Removing ${formatCount(count, 'unit', 'units')}`,
  stepError: 'Enter an amount, such as 5,000 or 5k.',
  title: 'Add units',
  toLevel: 'To level',
};
