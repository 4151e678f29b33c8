import { formatCount, formatNumber } from '../parts/format.ts';

export const texts = {
  period: 'Period',
  weeks: (weeks: number) => (weeks === 52 ? 'Last year' : `Last ${weeks} weeks`),
  project: 'Project',
  allProjects: 'All projects',
  newLeads: 'New leads, 7 days',
  more: (count: number) => `${formatNumber(count)} more than the 7 days before`,
  fewer: (count: number) => `${formatNumber(count)} fewer than the 7 days before`,
  same: 'As many as the 7 days before',
  waiting: 'New and waiting',
  oldest: (ago: string) => `The oldest came in ${ago}`,
  nobodyWaits: 'Nobody waits',
  reserved: 'Reserved',
  sold: 'Sold',
  soldHelp: 'Under Contract, Unconditional and Settled units together.',
  units: (count: number) => formatCount(count, 'unit', 'units'),
  unpriced: (count: number) =>
    `${formatCount(count, 'unit', 'units')} without a price ${count === 1 ? 'is' : 'are'} not in this`,
  noUnits: 'No units',
  refused: 'Refused leads',
  refusedNone: 'Every lead went in',
  refusedOpen: 'Not settled yet',
  response: 'Time to first answer',
  ownResponse: 'Your time to first answer',
  noOwn: 'No contact of this time is yours',
  responseHelp:
    'From the moment a contact came in to the first call, email, text, meeting or viewing. The middle value: half were faster.',
  noTime: 'None yet',
  responseNone: 'Nobody was answered yet',
  answered: (answered: number, all: number) =>
    `${formatNumber(answered)} of ${formatNumber(all)} answered`,
  byWeek: 'Leads by week',
  bySource: 'Where leads come from',
  byProject: 'Leads by project',
  byProjectNote: 'A lead with two projects counts in both.',
  byPerson: 'Leads by person',
  byStage: 'Leads by stage',
  byStatus: 'Stock by status',
  week: 'Week from',
  leads: 'New leads',
  enquiries: 'Enquiries',
  name: 'Name',
  status: 'Status',
  count: 'Units',
  value: 'Value',
  person: 'Person',
  median: 'Middle value',
  contacts: 'Contacts',
  summary: (total: string, weeks: number) => `${total} new leads in ${weeks} weeks`,
  none: { source: 'Not known', project: 'No project', user: 'Nobody', stage: 'No stage' },
  gone: 'Not there any more',
  myNext: 'My next',
  myNextHelp: 'Your contacts at the stage New, the oldest first.',
  myNextAll: (count: number, isExact: boolean) =>
    isExact ? `Show all ${formatNumber(count)}` : `Show all: more than ${formatNumber(count)}`,
  myNextEmpty: 'Nobody waits for you.',
  emptyProgress: 'No leads yet. Import a file, or connect your website with an API key.',
  import: 'Import a file',
  connect: 'Make an API key',
  webhookStopped: (name: string) => `The webhook ${name} is turned off`,
  webhookReasons: {
    gone: 'The other system answered that the address is gone. No events are sent to it.',
    failing: 'Nothing arrived there for 5 days. No events are sent to it.',
  },
  webhooks: 'Show webhooks',
  seconds: (seconds: number) => {
    if (seconds < 90) return `${Math.round(seconds)} seconds`;
    if (seconds < 5_400) return `${Math.round(seconds / 60)} minutes`;
    if (seconds < 172_800) return `${Math.round(seconds / 3_600)} hours`;
    return `${Math.round(seconds / 86_400)} days`;
  },
};
