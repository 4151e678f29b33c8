import { formatNumber } from '../../parts/text/format.ts';

export const texts = {
  more: (count: number) => `and ${formatNumber(count)} more`,
  none: 'Enter how many levels and units there are.',
  preview: 'These come after the units of the project:',
  repeated: (count: number, all: number, first: string) =>
    all === 1
      ? `The project already has a unit named ${first}.`
      : `The project already has ${count === all ? 'all' : count} of these ${all} names, such as ${first}.`,
  tooMany: 'At most 1,000 units at once.',
};
