import { formatCount, formatNumber } from '../parts/text/format.ts';

const imports = (count: number) => formatCount(count, 'import', 'imports');

export const texts = {
  count: (count: number, isExact: boolean) =>
    isExact ? imports(count) : `more than ${imports(count)}`,
  label: 'Imports',
  openHint: 'A click on the time opens the import.',
  empty: 'Every lead went in.',
  emptyAll: 'No lead came in yet.',
  filtered: 'No import fits these filters.',
  clear: 'Clear filters',
  news: (count: number) => (count === 0 ? 'The list has changed.' : `New: ${imports(count)}.`),
  columns: {
    receivedAt: 'Received',
    channel: 'Came in as',
    actor: 'Who',
    row: 'File row',
    outcome: 'Outcome',
    reason: 'Reason',
  },
  channels: { single: 'One lead', batch: 'Several leads', file: 'A file' } as Record<
    string,
    string
  >,
  outcomes: { created: 'New contact', merged: 'Filled a contact', refused: 'Refused' } as Record<
    string,
    string
  >,
  settlements: {
    retried: 'Went in later',
    replaced: 'Replaced by a later file',
    dismissed: 'Dismissed',
  } as Record<string, string>,
  undone: 'Undone with its file',
  row: (row: number) => `Row ${formatNumber(row)}`,
  filters: {
    show: 'Show',
    open: 'Refused and open',
    all: 'All imports',
    created: 'New contacts',
    merged: 'Filled contacts',
    refused: 'All that were refused',
    channel: 'Came in as',
    anyChannel: 'Leads and files',
    code: 'Reason',
    anyCode: 'Any reason',
    codes: {
      invalid_request: 'A value is wrong',
      duplicate_contacts: 'Contacts share the email',
      project_not_available: 'Project is not there',
      user_not_active: 'Person is not active',
      malformed_body: 'Not readable',
      precondition_failed: 'Contact was there already',
      internal_error: 'Fault of the service',
    } as Record<string, string>,
    after: 'Received from',
    before: 'Received until',
    file: (name: string) => `File: ${name}`,
    dropFile: 'Show all files',
    thisFile: 'one file',
  },
  action: {
    retry: 'Retry',
    retryAll: 'Retry all',
    dismiss: 'Dismiss',
    fix: 'Fix and retry',
    asReceived: 'Retry as received',
    merge: 'Merge the contacts',
    selected: (count: number) => `${formatNumber(count)} selected`,
    none: 'Select none',
  },
  retry: {
    title: (count: number) => `Retry ${imports(count)}?`,
    about:
      'Each is imported again as it was received. This helps when the cause is gone, such as contacts that were merged, or a project that is live now.',
    done: (accepted: number, refused: number) =>
      refused === 0
        ? `${imports(accepted)} went in.`
        : `${imports(accepted)} went in, ${formatNumber(refused)} refused again.`,
    again: 'It was refused again. The reason is below.',
    in: 'The lead went in.',
  },
  dismiss: {
    title: (count: number) => `Dismiss ${imports(count)}?`,
    about: 'They leave the list of open ones, and nothing of them is imported. The log keeps them.',
    reason: 'Why',
    reasonHint: 'For the log, such as: a test of our website.',
    done: (count: number) => `${imports(count)} dismissed.`,
  },
  bulk: {
    progress: (done: number, total: number) => `${formatNumber(done)} of ${imports(total)}`,
    finding: 'Finding the imports',
    stop: 'Stop',
    tooMany: 'These are more than 10,000. Narrow the filter first.',
  },
  drawer: {
    title: (outcome: string) => `Import: ${outcome.toLowerCase()}`,
    received: 'Received',
    channel: 'Came in as',
    who: 'Who',
    file: 'File',
    position: 'Number among the leads',
    request: 'Request id',
    ignored: 'Left out, because a lead has no such field',
    problem: 'Why it was refused',
    payload: 'As it was sent',
    payloadGone: 'The text is not kept any more.',
    marks: 'Characters that cannot be seen are shown as marks.',
    settled: (how: string, when: string, who?: string) =>
      `${how}${who === undefined ? '' : ` by ${who}`}, ${when}.`,
    contact: 'Open the contact',
    contactGone: 'The contact was erased later.',
    openFile: 'Open the import of this file',
    duplicates: 'Two or more contacts have this email. Merge them, and retry this lead then.',
  },
  fix: {
    title: 'Fix it',
    about: 'Correct what is wrong, and the lead is imported with these values.',
    unreadable: 'The text could not be read as a lead. Type in what it says.',
    action: 'Import with these values',
    none: 'None',
    noNames: 'Not in the list any more',
  },
  control: (code: string) => `character ${code}`,
};
