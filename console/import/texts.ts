import type { ContactFile } from '../api.ts';
import { leadAddressFields } from '../parts/domain/contact-texts.ts';
import { formatCount, formatNumber } from '../parts/text/format.ts';
import type { DateOrder, Field } from './plan.ts';

const rows = (count: number) => formatCount(count, 'row', 'rows');
const listHeaders = (headers: readonly string[]) =>
  `${headers.map((header) => `“${header}”`).join(', ')} are ${headers.length === 2 ? 'both' : 'all'}`;
const people = (count: number) => formatCount(count, 'contact', 'contacts');

/** The labels of the fields of a file, by group. */
export const fieldGroups: Record<string, Partial<Record<Field, string>>> = {
  Person: {
    email: 'Email',
    name: 'Full name',
    firstName: 'First name',
    lastName: 'Last name',
    phone: 'Phone',
    mobilePhone: 'Mobile',
    companyName: 'Company',
  },
  Lead: {
    notes: 'Note or message',
    noteDate: 'Date of the note',
    createdAt: 'Came in on',
    source: 'Source',
    sourceExternalOriginalName: 'Source, in the other system’s words',
    stage: 'Stage',
    tags: 'Tags',
    tag: 'One tag',
    project: 'Project, by its name',
    unit: 'Unit, by its name',
    owner: 'Assigned to, by name or email',
    buyerType: 'Buyer type',
    budget: 'Budget',
    referredBy: 'Referred by',
    noEmail: 'Wants no email',
    noCalls: 'Wants no calls',
    archived: 'Is archived',
    deleted: 'Is deleted in the other system',
  },
  Address: leadAddressFields,
  'Ids of this account': {
    projectId: 'Project id',
    unitId: 'Unit id',
    assignedAccountUserId: 'Id of the person assigned to',
  },
};

const fieldNames: Partial<Record<string, string>> = Object.assign(
  {},
  ...Object.values(fieldGroups),
);
/** Returns the label of a field. */
export const nameField = (field: string): string => fieldNames[field] ?? field;

export const texts = {
  allImports: 'All imports',
  back: 'Back',
  steps: {
    label: 'Steps',
    file: 'File',
    columns: 'Columns',
    check: 'Dry run',
    run: 'Run',
    report: 'Report',
  },
  list: {
    none: 'No file was imported yet.',
    past: 'Past imports',
    more: 'Show more',
    by: (who: string, when: string) => `${who}, ${when}`,
  },
  status: {
    checking: 'Being read',
    ready: 'Not imported yet',
    refused: 'Cannot be read',
    queued: 'Waiting',
    running: 'Importing',
    stopping: 'Stopping',
    stopped: 'Stopped',
    completed: 'Imported',
    failed: 'Failed',
    undoing: 'Being undone',
    undone: 'Undone',
  } satisfies Record<ContactFile['status'], string>,
  dryRun: 'Dry run',
  file: {
    title: 'Choose a file of contacts',
    drop: 'Drop a CSV file here',
    dropped: 'Drop it',
    choose: 'Choose a file',
    another: 'Choose another file',
    about:
      'CSV, tab-separated or NDJSON, up to 64 MiB, from a spreadsheet or another CRM. The first line names the columns. Nothing is stored before you say so.',
    spreadsheet:
      'This is a spreadsheet. Save it as CSV UTF-8, which is a type that Excel offers, and choose that file.',
    json: 'This is JSON. An import reads CSV, tab-separated text and NDJSON, which has one contact a line: export the list as one of these.',
    picture:
      'This is a picture. Choose a table that is saved as CSV, tab-separated text or NDJSON.',
    noText:
      'This file is not text. Choose a table that is saved as CSV, tab-separated text or NDJSON.',
    empty: 'This file is empty.',
    tooLarge: 'This file is larger than 64 MiB. Split it, and import one part after the other.',
    several: 'Choose one file at a time.',
    notUploaded: 'The file was not uploaded',
    sending: 'Upload',
    sent: (percent: number, size: string) => `${percent} % of ${size} uploaded`,
    looking: 'Looking at the file',
    checking: 'Reading the file, counting its rows and recognizing its columns',
    cancel: 'Cancel the upload',
    uploaded: (name: string) => `${name} is uploaded.`,
    show: 'Show',
    unreadable: 'This file cannot be imported',
  },
  columns: {
    title: 'What the columns are',
    unknown: (count: number) =>
      count === 1
        ? '1 column is not recognized, and stands first. Choose what it is, or leave it out.'
        : `${count} columns are not recognized, and stand first. Choose what they are, or leave them out.`,
    known: 'All columns are recognized. Look at the samples before you go on.',
    ndjson:
      'The contacts in this file name their values themselves. Values under other names are left out.',
    header: 'Column',
    samples: 'Samples',
    field: 'Becomes',
    fieldOf: (header: string) => `What “${header}” becomes`,
    noHeader: 'Without a header',
    noSamples: 'Empty',
    leaveOut: 'Leave out',
    guess:
      'The file is not UTF-8, so it is read as Windows-1252, as Excel saves a plain CSV. If letters such as ā or é look wrong below, save it as CSV UTF-8 and choose it again.',
    shared: (field: string, headers: readonly string[]) =>
      `${listHeaders(headers)} ${field}: the first one that is filled counts, and other values are kept in a note.`,
    combined: (field: string, headers: readonly string[]) =>
      `${listHeaders(headers)} ${field}, and all of them count.`,
    sameHeader:
      'Another column has this header too. Rename one of them in the file to import both.',
    shortPhone:
      'The spreadsheet has shortened these numbers, and digits are lost. Make the column a text there, and save it again.',
    noEmail: 'No column is the email. A contact needs one: say which column it is.',
    priceList:
      'This looks like a price list. Send it to its project: open the project under Stock, then its price list.',
    toProjects: 'Open the projects',
    dates: 'How dates are written',
    datesAsFile: 'As the file shows',
    dateOrders: {
      dmy: 'Day first: 3/4/2026 is 3 April',
      mdy: 'Month first: 3/4/2026 is 4 March',
      ymd: 'Year first: 2026/4/3 is 3 April',
    } satisfies Record<DateOrder, string>,
    datesUnclear: 'The dates of this file can be read in more than one way. Say which is right.',
    lastFirst: 'Full names have the last name first, as in “Ngata, Aroha”',
    all: 'For all rows',
    allAbout:
      'Every contact of this file gets these. Leave a field as it is to take what the rows say.',
    source: 'Source',
    asRows: 'As the rows say',
    tags: 'Tags',
    tagsHint: 'Beside those of the rows. Put a comma between two.',
    project: 'Project',
    assigned: 'Assigned to',
    nobody: 'As the rows say, or nobody',
    try: 'Start the dry run',
    remove: 'Delete this file',
    problem: 'The file cannot be imported like this',
  },
  check: {
    title: 'What the import would do',
    help: 'A dry run treats each row as the import would, and stores nothing.',
    running: 'Dry run',
    created: 'would be new',
    merged: 'would fill a known contact',
    refused: 'would be refused',
    deleted: (count: number) => `${rows(count)} marked as deleted would be left out.`,
    done: (count: number) => `Dry run of ${rows(count)} done.`,
    start: (count: number) => `Import ${rows(count)}`,
    noRows: 'The file has no rows to import.',
    nothing: 'Every row would be refused. Go back and look at the columns.',
    reasons: 'Why rows would be refused',
    remarks: 'Values that would be left out or changed',
    refusedLater:
      'Refused rows do not stop the others. After the import you can fix them one by one, or get them as a file.',
  },
  run: {
    title: 'Import',
    progress: (done: number, total: number | null) =>
      total === null ? rows(done) : `${formatNumber(done)} of ${rows(total)}`,
    queued: 'Waiting: another file of this account is imported first.',
    stopping: 'Stopping after the rows in progress',
    away: 'It goes on when you close this page.',
    lessThanMinute: 'less than a minute left',
    minutes: (count: number) =>
      count === 1 ? 'about a minute left' : `about ${formatNumber(count)} minutes left`,
    quarter: (percent: number) => `${percent} % is done.`,
    stop: 'Stop',
    goOn: 'Continue',
    stopped: 'The import was stopped. The rows that are done stay; the others wait.',
    failed:
      'The import ended with a fault of the service. The rows that are done stay. Continue; if it fails again, ask the person who runs the service: its log says why.',
  },
  report: {
    title: 'What the import did',
    created: 'new',
    merged: 'filled a known contact',
    filled: 'filled',
    refused: 'refused',
    deleted: (count: number) => `${rows(count)} marked as deleted were left out.`,
    all: 'Every row went in.',
    done: 'The import is done.',
    fix: (count: number) => `Fix ${rows(count)}`,
    csv: 'Refused rows as CSV',
    csvAbout: 'Correct the rows in a spreadsheet and import that file: it settles these rows.',
    reasons: 'Why rows were refused',
    reason: (count: number) => rows(count),
    remarks: 'Values that were left out or changed',
    showNew: 'Show the new contacts',
  },
  undo: {
    action: 'Undo this import',
    title: 'Undo this import?',
    about: (count: number) =>
      `This erases for good ${people(count)} that the import made, but nobody who was changed since.`,
    aboutRetried: 'The contacts of refused rows that went in later are erased, too.',
    stays: 'What stays',
    staysWhat: [
      'contacts that were there before, with what the import filled in',
      'contacts that somebody changed, or that wrote again, since',
      'the rows in the import log',
    ],
    undoing: 'Undoing the import',
    failed: (removed: number) =>
      `The undo ended with a fault of the service. ${people(removed)} erased so far. Undo the import again to erase the others; if it fails again, ask the person who runs the service: its log says why.`,
    done: (removed: number) => `The import is undone: ${people(removed)} erased.`,
    kept: (count: number) =>
      count === 0
        ? ''
        : `${people(count)} ${count === 1 ? 'stays, because it was' : 'stay, because they were'} changed or sent in again since.`,
  },
  remove: {
    title: 'Delete this file?',
    about: 'Contacts that were imported from it stay, and so does the import log.',
    action: 'Delete the file',
    done: (name: string) => `${name} deleted`,
  },
};

/** Describes in a line what an import did, or that it has not run yet. */
export function describeCounts({ rows: all, run, status, undo }: ContactFile): string {
  if (undo !== null && status === 'undone') return texts.undo.done(undo.removed);
  if (run === null || run.dryRun) return all === null ? '' : rows(all);
  return [
    `${formatNumber(run.created)} ${texts.report.created}`,
    `${formatNumber(run.merged)} ${texts.report.filled}`,
    `${formatNumber(run.refused)} ${texts.report.refused}`,
  ].join(', ');
}
