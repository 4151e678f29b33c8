export const texts = {
  title: 'Duplicates',
  help: 'Contacts that share an email are one person twice, or two people with one mailbox. A lead with such an email is refused, because it is not clear whose it is.',
  helpWord: 'duplicates',
  groups: ['email that several contacts have', 'emails that several contacts have'] as const,
  none: 'No email belongs to more than one contact.',
  toContacts: 'All contacts',
  list: 'Emails',
  all: 'All duplicates',
  loadMore: 'Load more',
  contacts: (count: number) => `${count} contacts`,
  differs: (fields: string) => `Different: ${fields}`,
  same: 'Nothing differs',
  refused: (count: number) => `${count} refused ${count === 1 ? 'lead' : 'leads'}`,
  unknownEmail: 'These contacts are merged already, or have other emails now.',

  compare: (email: string) => `Contacts with ${email}`,
  field: 'Field',
  apart: (name: string, sign: string | number) => `${name} (${sign})`,
  keep: 'Keep this one',
  keepOf: (name: string) => `Keep this one: ${name}`,
  take: (field: string, value: string, name: string) => `${field}: ${value}, from ${name}`,
  becomes: 'Becomes',
  archived: 'Archived',
  lastActivity: 'Last activity',
  nobody: 'Nobody',
  filled: 'Filled',
  empty: '–',
  showSame: (count: number) =>
    `${count} ${count === 1 ? 'field' : 'fields'} with nothing to decide`,
  leftBehind: 'Left behind',
  leftBehindHelp:
    'The kept contact gets another value in these fields: choose above which one. The values that are left behind stay in its history.',
  leftBehindNone: 'No value is left behind.',
  leftValue: (field: string, value: string, name: string) => `${field}: ${value}, of ${name}`,
  moves: (activities: number, tags: number, links: number) =>
    `Moves over: ${count(activities, 'activity', 'activities')}, ${count(tags, 'tag', 'tags')}, ${count(links, 'project or unit', 'projects or units')}.`,
  tooMany: (most: number) => `The first ${most} are merged; merge again for the others.`,
  cannotUndo: 'This cannot be undone.',
  merge: (contacts: number) => `Merge ${contacts} contacts`,
  merging: 'Merging',

  mergedTitle: (name: string) => `Merged into ${name}`,
  openMerged: 'Open the contact',
  retriable: (count: number) =>
    count === 1 ? '1 refused lead can be retried.' : `${count} refused leads can be retried.`,
  retry: 'Retry',
  retried: (accepted: number, refused: number) =>
    refused === 0
      ? `${count(accepted, 'lead', 'leads')} went in`
      : `${count(accepted, 'lead', 'leads')} went in, ${refused} refused again`,
  next: 'Next email',
};

function count(many: number, one: string, others: string): string {
  return `${many} ${many === 1 ? one : others}`;
}
