/** The fields that a file can have besides those of an import request. */
export const HISTORY_FIELDS = [
  'createdAt',
  'stage',
  'archived',
  'owner',
  'project',
  'unit',
  'noteDate',
  'noEmail',
  'noCalls',
] as const;
export type HistoryField = (typeof HISTORY_FIELDS)[number];

export const DATE_FIELDS = ['createdAt', 'noteDate'] as const satisfies HistoryField[];
export type DateField = (typeof DATE_FIELDS)[number];

/** The names that people and other CRMs give to these fields besides their own, the closest first. */
export const HISTORY_NAMES: Record<HistoryField, string> = {
  createdAt: `create date, created, created on, created date, created time, date created, creation date, date added,
    added, added on, date entered, record created, contact created, lead created, person created,
    sign up date`,
  stage: `lifecycle stage, lead stage, pipeline stage, sales stage, deal stage, buyer stage, current stage`,
  archived: `is archived, archived at, archived on, date archived, archived date`,
  owner: `owner name, owner email, owner full name, lead owner, record owner, account owner, assigned to, assigned user,
    assignee, assigned agent, assigned salesperson, agent, agent name, agent email, sales agent, salesperson,
    sales rep, sales representative, sales consultant, consultant`,
  project: `project name, project slug, project of interest, development, development name,
    development of interest, estate`,
  unit: `unit name, unit number, unit no, unit of interest, lot, lot number, lot no, apartment, apartment number`,
  noteDate: `date of note, notes date, comment date, message date, enquiry date, inquiry date,
    date of enquiry, date of inquiry`,
  noEmail: `unsubscribed, unsubscribed from all email, unsubscribed from all emails, has opted out of email,
    opted out of email, unsub time, unsubscribed at, unsubscribed on, unsubscribe date, marketing status, email opt out, email opted out, opt out of email, opted out email, do not email`,
  noCalls: `do not call, do not phone, phone opt out, opted out of calls, call opt out, do not contact by phone`,
};
