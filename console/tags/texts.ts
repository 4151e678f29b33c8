import { formatCount } from '../parts/text/format.ts';

const people = (count: number): string => formatCount(count, 'contact', 'contacts');

export const texts = {
  actions: 'Actions',
  actionsOf: (label: string) => `Change: ${label}`,
  add: 'Create a tag',
  addAction: 'Create',
  added: (label: string) => `Tag ${label} created`,
  change: 'Change',
  chooseTag: 'Choose the tag to keep',
  contacts: 'Contacts',
  delete: 'Delete',
  deleted: (label: string) => `Tag ${label} deleted`,
  deleteExplain: (count: number) =>
    count === 0
      ? 'No contact in the lists has it. A lead that names it later makes a new tag.'
      : `It is taken off ${people(count)}, for good. A lead that names it later makes a new tag.`,
  deleteQuestion: (label: string) => `Delete ${label}?`,
  empty: 'No tag yet. A tag that is added to a contact, or that a file names, is listed here.',
  into: 'Keep this tag',
  label: 'Tag',
  labelTaken: 'Another tag has this name. To make one of both, merge them.',
  long: 'A tag of 1,000 contacts takes about a second.',
  merge: 'Merge into another tag',
  mergeAction: 'Merge',
  mergeExplain: (label: string, count: number) =>
    `${people(count)} and the saved views with ${label} get the tag that you keep. ${label} is then gone, for good.`,
  mergeTitle: (label: string) => `Merge ${label} into another tag`,
  merged: (label: string, into: string) => `${label} is merged into ${into}`,
  missing: 'Choose the tag to keep.',
  noFit: 'No tag fits.',
  noTagFound: 'No other tag fits.',
  rename: 'Rename',
  renameTitle: (label: string) => `Rename ${label}`,
  search: 'Find a tag',
  showMore: 'Show more',
  title: 'Tags',
};
