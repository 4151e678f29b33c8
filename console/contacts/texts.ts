import { formatCount, formatNumber } from '../parts/text/format.ts';

export const texts = {
  count: (count: number, isExact: boolean): string =>
    isExact
      ? formatCount(count, 'contact', 'contacts')
      : `more than ${formatNumber(count)} contacts`,
  search: 'Name, email or phone',
  columns: 'Columns',
  news: (count: number): string =>
    `${formatNumber(count)} new ${count === 1 ? 'contact' : 'contacts'}.`,
  moved: 'The list has changed.',
  add: 'Add a contact',
  export: 'Export',
  undo: (count: number): string => `Undo for ${formatCount(count, 'contact', 'contacts')}`,
  import: 'Import a file',
  editHint:
    'Double-click a stage or a person, or press Enter on it, to change it. A click on the name opens the contact.',
  empty: 'No contacts yet. Import a file, add one, or connect your website.',
  emptyByFilter: 'No contact fits these filters.',
  clearFilters: 'Clear filters',
  nobody: 'Nobody',
  unknownPerson: 'Somebody who left',
  archived: 'Archived',
  about: (projects: string, units: string): string =>
    [projects, units].filter((part) => part !== '').join(', '),
  columnNames: {
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    mobilePhone: 'Mobile',
    companyName: 'Company',
    stage: 'Stage',
    source: 'Source',
    projects: 'Project',
    units: 'Unit',
    assignedTo: 'Assigned to',
    lastActivityAt: 'Last activity',
    createdAt: 'Came in',
    updatedAt: 'Changed',
    buyerType: 'Buyer type',
    budget: 'Budget',
    tags: 'Tags',
    cityName: 'City',
  },
};

export const filterTexts = {
  add: 'Filter',
  edit: (name: string, value: string): string => `${name}: ${value}. Change this filter`,
  remove: (name: string): string => `Remove the filter ${name}`,
  back: 'All filters',
  none: 'Empty',
  nobody: 'Nobody',
  yes: 'Yes',
  no: 'No',
  from: 'From',
  to: 'To',
  since: 'Since',
  until: (day: string): string => `until ${day}`,
  after: (day: string): string => `from ${day}`,
  find: (name: string): string => `Find: ${name}`,
  nothing: 'Nothing found.',
  gone: 'gone',
  archivedOnly: 'Archived only',
  archivedToo: 'With archived ones',
  names: {
    stage: 'Stage',
    source: 'Source',
    buyerType: 'Buyer type',
    tag: 'Tag',
    assignedTo: 'Assigned to',
    project: 'Project',
    unit: 'Unit',
    created: 'Came in',
    lastActivity: 'Last activity',
    updated: 'Changed',
    hasPhone: 'Has a phone',
    archived: 'Archived',
  },
};

export const viewTexts = {
  label: 'Views',
  all: 'All contacts',
  more: 'More views',
  shared: 'shared',
  changed: 'changed',
  menu: 'View',
};
