import { formatCount, formatNumber } from '../parts/text/format.ts';

const people = (count: number): string => formatCount(count, 'contact', 'contacts');

export const bulkTexts = {
  selected: (count: number, isExact: boolean): string =>
    isExact ? `${people(count)} selected` : `More than ${people(count)} selected`,
  all: (count: string): string => `Select all ${count} that fit`,
  clear: 'Clear selection',
  stage: 'Set stage',
  assign: 'Assign',
  tags: 'Tags',
  archive: 'Archive',
  tooMany: (most: number): string =>
    `At most ${people(most)} can be changed at once. Narrow the filter.`,
  questions: {
    stage: (count: number): string => `Set the stage of ${people(count)}`,
    assign: (count: number): string => `Assign ${people(count)}`,
    addTag: (count: number): string => `Add a tag to ${people(count)}`,
    removeTag: (count: number): string => `Remove a tag from ${people(count)}`,
    archive: (count: number): string => `Archive ${people(count)}?`,
  },
  archiveHint: 'They leave the lists. A lead with their email still finds them.',
  newStage: 'New stage',
  chooseStage: 'Choose a stage',
  stageHint: "Link the units on each contact's page.",
  assignTo: 'Assign to',
  choosePerson: 'Choose a person',
  tag: 'Tag',
  tagHint: 'A new word makes a new tag.',
  addTag: 'Add a tag',
  removeTag: 'Remove a tag',
  action: (count: number): string => `Change ${people(count)}`,
  archiveAction: (count: number): string => `Archive ${people(count)}`,
  reading: (done: number): string => `Reading: ${people(done)}`,
  changing: (done: number, total: number): string =>
    `Changing: ${formatNumber(done)} of ${people(total)}`,
  stop: 'Stop',
  stopping: 'Stopping',
  done: (count: number): string => `${people(count)} changed`,
  nothingChanged: 'All of them had it already',
  stopped: (done: number, total: number): string =>
    `Stopped: ${formatNumber(done)} of ${people(total)} changed`,
  stoppedReading: 'Stopped: no contact was changed',
  undo: (count: number): string => `Undo for ${people(count)}`,
  undoing: 'Taking the change back',
  undone: (count: number): string => `${people(count)} as before`,
  undoStopped: (done: number, total: number): string =>
    `Stopped: ${formatNumber(done)} of ${people(total)} as before`,
  kept: (count: number): string =>
    `${people(count)} ${count === 1 ? 'was' : 'were'} changed since, and ${count === 1 ? 'stays' : 'stay'}`,
};

export const exportTexts = {
  title: (count: number, isExact: boolean): string =>
    `Export ${isExact ? '' : 'more than '}${people(count)}`,
  hint: 'The file has all contacts that fit the filters, in the order of the list.',
  hintSelected: 'The file has the selected contacts, in the order of the list.',
  format: 'Format',
  csv: 'CSV, for spreadsheets',
  ndjson: 'NDJSON, for programs',
  action: 'Download the file',
  started: 'The file is on its way',
};

export const addTexts = {
  title: 'Add a contact',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  source: 'Source',
  project: 'Interested in',
  noProject: 'No project',
  assignedTo: 'Assigned to',
  notes: 'Note',
  action: 'Add the contact',
  added: 'Contact added',
  known: 'This email was known: here is its contact',
  hidden: 'This email is known, and its contact is not yours to see. Ask a manager.',
};

export const sortTexts = {
  sort: 'Order',
  sorts: {
    '-createdAt': 'Newest first',
    createdAt: 'Oldest first',
    '-lastActivityAt': 'Latest activity first',
    lastActivityAt: 'Longest without activity first',
    '-updatedAt': 'Latest change first',
    updatedAt: 'Oldest change first',
    name: 'Name, A to Z',
    '-name': 'Name, Z to A',
  } as Readonly<Record<string, string>>,
};
