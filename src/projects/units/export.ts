import type { FastifySchema } from 'fastify';
import { FORMAT_PARAMETER, getPrincipal, sendRows, type SendDownload } from '../../access/index.ts';
import {
  createSelectionReader,
  describeExport,
  SKIP_VALIDATION,
  type Columns,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import type { ImageBases } from '../../platform/text/index.ts';
import { UNIT_EXAMPLE } from './document.ts';
import { UNIT_LIST } from './filter.ts';
import { readAllUnits } from './list-store.ts';
import { presentUnit, type ShownUnit } from './present.ts';

const IMAGE = ['floorPlanImage.key', 'floorPlanImage.url', 'floorPlanImage.alt'];

const COLUMNS: Columns<ShownUnit> = {
  names: Object.keys(UNIT_EXAMPLE).flatMap((name) => (name === 'floorPlanImage' ? IMAGE : name)),
  toCells: ({ floorPlanImage, ...fields }) => ({
    ...fields,
    'floorPlanImage.key': floorPlanImage?.key,
    'floorPlanImage.url': floorPlanImage?.url,
    'floorPlanImage.alt': floorPlanImage?.alt,
  }),
};

const exportDocument: FastifySchema = {
  operationId: 'exportUnits',
  summary: 'Export units',
  description:
    'All units that match the filters of `GET /stock/units`, as they are at one moment. Two exports of an account run at once.',
  ...describeExport(UNIT_LIST, UNIT_EXAMPLE, COLUMNS),
};

interface UnitExportOptions {
  /** Answers with an export. */
  sendDownload: SendDownload;
  imageBases: ImageBases;
}

/** Adds the route that exports units. */
export function unitExportRoutes(
  app: Server,
  { sendDownload, imageBases }: UnitExportOptions,
): void {
  const readQuery = createSelectionReader(UNIT_LIST, FORMAT_PARAMETER);
  const config = { scope: 'projects:read', quota: 'exports' } as const;
  const options = { config, schema: exportDocument, ...SKIP_VALIDATION };
  app.get('/exports/units', options, (request, reply) => {
    const { further, ...selection } = readQuery(request.query as RawQuery);
    const { accountId } = getPrincipal(request);
    return sendRows(sendDownload, request, reply, {
      name: 'units',
      format: further.format,
      columns: COLUMNS,
      read: (tx) => readAllUnits(tx, accountId, selection),
      present: (unit) => presentUnit(imageBases, unit),
    });
  });
}
