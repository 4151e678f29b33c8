import type { FastifySchema } from 'fastify';
import { describeExport } from '../../platform/http/index.ts';
import { ACTIVITY_EXAMPLE, ACTIVITY_LIST } from '../activities/document.ts';
import { CONTACT_EXAMPLE, CONTACT_LIST } from '../list/document.ts';
import { ACTIVITY_COLUMNS, CONTACT_COLUMNS } from './columns.ts';

export const contactExportDocument: FastifySchema = {
  operationId: 'exportContacts',
  summary: 'Export contacts',
  description:
    'All contacts that match the filters of `GET /contacts`, as they are at one moment. In CSV `tags` has their labels, joined by `, `, and there are columns that the list lacks: `assignedTo`, the name of the person, and `interestedIn`, the projects and units. Two exports of an account run at once.',
  ...describeExport(CONTACT_LIST, CONTACT_EXAMPLE, CONTACT_COLUMNS, ['confirmation_required']),
};

export const activityExportDocument: FastifySchema = {
  operationId: 'exportActivities',
  summary: 'Export activities',
  description:
    'All activities that match the filters of `GET /activities`, the newest first, as they are at one moment.',
  ...describeExport(ACTIVITY_LIST, ACTIVITY_EXAMPLE, ACTIVITY_COLUMNS, ['confirmation_required']),
};
