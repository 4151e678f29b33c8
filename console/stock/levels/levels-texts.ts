import { formatCount } from '../../parts/text/format.ts';

export const texts = {
  choose: 'Choose a project to see its levels.',
  count: (count: number) => formatCount(count, 'unit', 'units'),
  level: (level: string) => `Level ${level}`,
  noLevel: 'No level',
  legend: 'Statuses',
  hidden: (count: number) => `${formatCount(count, 'unit does', 'units do')} not fit the filters.`,
};
