import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '../../access/index.ts';
import { readChangePage, ROW_CHANGE_LIST } from '../../events/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import {
  acceptJson,
  createListReader,
  parseStorableJson,
  presentList,
  readDryRun,
  readIfMatch,
  requireJsonType,
  requireMergePatch,
  sendCreated,
  sendResource,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import { readClaim } from '../../platform/idempotency/index.ts';
import type { GetPool } from '../../platform/queue/index.ts';
import type { ImageBases } from '../../platform/text/index.ts';
import { batchDocument } from './batch/document.ts';
import { BATCH_SCHEMAS, CheckedUnitBatch, type UnitBatch } from './batch/schemas.ts';
import { runBatch } from './batch/service.ts';
import * as documents from './document.ts';
import { UNIT_LIST, UNIT_OF_PROJECT_LIST, UnitFilter } from './filter.ts';
import { listUnits, type ListedUnit } from './list-store.ts';
import { presentUnit } from './present.ts';
import { requireProject } from '../list/service.ts';
import { createBodyReader } from './requests.ts';
import { NewUnit, NewUnitList, UNIT_SCHEMAS, type UnitChanges, type UnitOrder } from './schemas.ts';
import { changeUnit, createUnits, deleteUnit, orderUnits, requireUnit } from './service.ts';
import { readStockEditor } from '../stock-edit.ts';

const READ = { scope: 'projects:read' } as const;
const WRITE = { scope: 'projects:write' } as const;

const readNewUnit = createBodyReader<NewUnit>(NewUnit);
const readNewUnits = createBodyReader<NewUnitList>(NewUnitList);
const readBatch = createBodyReader<UnitBatch>(CheckedUnitBatch);

/** The limit of bodies with many rows: a thousand units with all fields fit into it. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
const UNITS_MAX_SIZE = { containers: 5_000, members: 30_000 };

interface UnitRouteOptions {
  db: Pool;
  /** Returns the pool for the lists of an account. Its statements are planned for their values. */
  getLists: GetPool;
  imageBases: ImageBases;
}

interface UnitParams {
  unitId: string;
}
interface ProjectParams {
  projectId: string;
}

/** Adds the routes of units. */
export function unitRoutes(app: Server, options: UnitRouteOptions): void {
  for (const schema of [UnitFilter, ...UNIT_SCHEMAS, ...BATCH_SCHEMAS]) app.addSchema(schema);
  addListRoutes(app, options);
  addUnitRoutes(app, options);
  void app.register(async (group: Server) => addManyUnitsRoutes(group, options));
}

/** Adds the lists of all units, and of those of a project. */
function addListRoutes(app: Server, { db, getLists, imageBases }: UnitRouteOptions): void {
  const present = (unit: ListedUnit) => {
    const { sortValue: _, ...own } = unit;
    return presentUnit(imageBases, own);
  };

  const readListQuery = createListReader(UNIT_LIST);
  const list = { config: READ, schema: documents.listDocument, ...SKIP_VALIDATION };
  app.get('/stock/units', list, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const { accountId } = getPrincipal(request);
    const found = await listUnits(getLists(accountId), accountId, query);
    return presentList(query, found, placeOf, present);
  });

  const readOwnQuery = createListReader(UNIT_OF_PROJECT_LIST);
  const own = { config: READ, schema: documents.listOfProjectDocument, ...SKIP_VALIDATION };
  app.get('/stock/projects/:projectId/units', own, async (request) => {
    const { accountId } = getPrincipal(request);
    const query = readOwnQuery(request.query as RawQuery);
    const { projectId } = request.params as ProjectParams;
    const { id } = await requireProject(db, { accountId, imageBases }, projectId);
    const filter = { ...query.filter, project: [id] };
    const found = await listUnits(getLists(accountId), accountId, { ...query, filter });
    return presentList(query, found, placeOf, present);
  });
}

/** Adds the routes that show, change, delete and order units, and list their changes. */
function addUnitRoutes(app: Server, { db, imageBases }: UnitRouteOptions): void {
  const readEditor = (request: FastifyRequest) => readStockEditor(request, { db, imageBases });
  const readTarget = (request: FastifyRequest) => ({
    id: (request.params as UnitParams).unitId,
    ifMatch: readIfMatch(request),
  });

  app.get(
    '/stock/units/:unitId',
    { config: READ, schema: documents.showDocument },
    async (request, reply) => {
      const { accountId } = getPrincipal(request);
      const unit = await requireUnit(db, accountId, request.params.unitId);
      return sendResource(request, reply, presentUnit(imageBases, unit));
    },
  );

  const change = {
    config: { ...WRITE, orScope: 'units:hold' as const },
    schema: documents.changeDocument,
    preParsing: requireMergePatch,
  };
  app.patch('/stock/units/:unitId', change, async (request, reply) => {
    const changes = request.body as UnitChanges;
    const unit = await changeUnit(readEditor(request), readTarget(request), changes);
    return sendResource(request, reply, unit);
  });

  const remove = { config: WRITE, schema: documents.deleteDocument };
  app.delete('/stock/units/:unitId', remove, async (request, reply) => {
    await deleteUnit(readEditor(request), readTarget(request));
    return reply.code(204).send();
  });

  const order = { config: WRITE, schema: documents.orderDocument, preParsing: requireJsonType };
  app.put('/stock/projects/:projectId/units/order', order, async (request, reply) => {
    const { projectId } = request.params;
    const target = { id: projectId, ifMatch: readIfMatch(request) };
    await orderUnits(readEditor(request), target, (request.body as UnitOrder).unitIds);
    return reply.code(204).send();
  });

  const readChangeQuery = createListReader(ROW_CHANGE_LIST);
  const changes = { config: READ, schema: documents.changesDocument, ...SKIP_VALIDATION };
  app.get('/stock/units/:unitId/changes', changes, async (request) => {
    const { accountId } = getPrincipal(request);
    const query = readChangeQuery(request.query as RawQuery);
    const { id } = await requireUnit(db, accountId, (request.params as UnitParams).unitId);
    const filter = { ...query.filter, subject: [id] };
    return readChangePage(db, accountId, { ...query, filter });
  });
}

/** Adds the routes whose bodies have many units. */
function addManyUnitsRoutes(app: Server, { db, imageBases }: UnitRouteOptions): void {
  const readEditor = (request: FastifyRequest) => readStockEditor(request, { db, imageBases });
  acceptJson(app, async (request, body) => parseStorableJson(request, body, UNITS_MAX_SIZE));

  const create = {
    config: WRITE,
    schema: documents.createDocument,
    preParsing: requireJsonType,
    bodyLimit: BODY_LIMIT_BYTES,
    ...SKIP_VALIDATION,
  };
  app.post('/stock/projects/:projectId/units', create, async (request, reply) => {
    const { projectId } = request.params;
    const isList = Object.hasOwn(request.body as object, 'units');
    const entries = isList ? readNewUnits(request.body).units : [readNewUnit(request.body)];
    const claim = readClaim(request, getPrincipal(request).actor.id);
    const creation = { projectId, claim, isList };
    const { units, isRepeat } = await createUnits(readEditor(request), creation, entries);
    if (isRepeat) reply.header('idempotent-replayed', 'true');
    const [first] = units;
    if (isList || first === undefined) return reply.code(201).send({ data: units });
    return sendCreated(request, reply, {
      resource: first,
      isRepeat,
      path: '/api/v1/stock/units',
    });
  });

  const batch = {
    config: WRITE,
    schema: batchDocument,
    preParsing: requireJsonType,
    bodyLimit: BODY_LIMIT_BYTES,
    ...SKIP_VALIDATION,
  };
  app.post('/stock/units/batch', batch, async (request, reply) => {
    const dryRun = readDryRun(request.query);
    const body = readBatch(request.body);
    const editor = readEditor(request);
    const claim = dryRun ? null : readClaim(request, editor.principal.actor.id);
    const { result, isRepeat } = await runBatch(editor, body, { dryRun, claim });
    if (isRepeat) reply.header('idempotent-replayed', 'true');
    return result;
  });
}

/** Returns the place of a unit in a list. */
function placeOf({ id, sortValue }: ListedUnit) {
  return { id, value: sortValue instanceof Date ? sortValue.toISOString() : sortValue };
}
