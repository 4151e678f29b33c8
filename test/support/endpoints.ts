import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import type { RouteScope, Scope } from '../../src/access/index.ts';

/** The place of an id in a request: the name of a path parameter, or the path to a field of the body. */
export type Place = (string | number)[];

/** An endpoint as the OpenAPI document has it, and the request that its examples make. */
export interface Endpoint {
  name: string;
  method: string;
  /** As Fastify writes it: `/api/v1/projects/:slug`. */
  path: string;
  writes: boolean;
  /** The scope that its caller needs. */
  scope: RouteScope;
  /** Every place that takes an id or a slug. */
  idPlaces: Place[];
  /** The example request, with these values in place of its own. */
  request: (values?: [Place, string][]) => InjectOptions & { url: string };
}

interface Schema {
  $ref?: string;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  examples?: unknown[];
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema: Schema;
}
interface Operation {
  security?: { apiKey?: Scope[]; session?: Scope[] }[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: object }> };
}

/** The endpoints of an OpenAPI document. */
export function endpointsOf(document: unknown): Endpoint[] {
  const { paths, components } = document as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      endpointOf(components.schemas, path, method.toUpperCase(), operation),
    ),
  );
}

/** Bodies that are not JSON, by their media type: a picture of one pixel, and a file with one contact. */
const FILES: Record<string, Buffer> = {
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQImWP4z8AAAAMBAQCc479ZAAAAAElFTkSuQmCC',
    'base64',
  ),
  'text/csv': Buffer.from('Name,Work email\nMereana Pou,mereana.pou@example.com\n'),
};

function endpointOf(
  schemas: Record<string, Schema>,
  path: string,
  method: string,
  { parameters = [], requestBody, security }: Operation,
): Endpoint {
  const resolve = (schema: Schema): Schema =>
    schemas[schema.$ref?.replace('#/components/schemas/', '') ?? ''] ?? schema;
  const media = requestBody?.content['application/json'];
  const body = media && resolve(media.schema);
  const [type = '', known] =
    Object.entries(FILES).find(([each]) => requestBody?.content[each] !== undefined) ?? [];
  const shown: unknown = requestBody?.content[type]?.example;
  const file = typeof shown === 'string' ? Buffer.from(shown) : known;
  const example = media?.example ?? (body?.examples?.[0] as object | undefined);

  function places(schema: Schema, way: Place): Place[] {
    const { format, properties = {}, items } = resolve(schema);
    return [
      ...(isId(String(way.at(-1)), format) && !isOwnName(way) && !items ? [way] : []),
      ...Object.entries(properties).flatMap(([name, each]) => places(each, [...way, name])),
      ...(items ? places(items, [...way, 0]) : []),
    ];
  }

  function request(values: [Place, string][] = []): InjectOptions & { url: string } {
    const payload = structuredClone(example);
    const given = new Map(values.map(([place, value]) => [place.join('/'), value]));
    const ofPath = new Set(parameters.map(({ name }) => name));
    for (const [place, value] of values)
      if (payload && !ofPath.has(String(place[0]))) put(payload, place, value);
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const { example: own } = parameters.find((each) => each.name === name) ?? {};
      return given.get(name) ?? String(own);
    });
    return {
      method: method as 'GET',
      url: `/api/v1${url}`,
      ...(payload && { payload }),
      ...(file && { payload: file, headers: { 'content-type': type } }),
    };
  }

  return {
    name: `${method} ${path}`,
    method,
    path: `/api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    writes: method !== 'GET',
    scope: scopeOf(security ?? assert.fail(`${method} ${path} has no security`)),
    idPlaces: [
      ...parameters.flatMap(({ name, schema }) => (isId(name, schema.format) ? [[name]] : [])),
      ...(body ? places(body, []) : []),
    ],
    request,
  };
}

function isId(name: string, format: string | undefined): boolean {
  return format === 'uuid' || /^(id|slug|sha256)s?$|Ids?$|Slugs?$/.test(name);
}

/**
 * Whether a place has no reference to another row: a slug in a body is that of the row itself or of its region, and `takeFrom` of
 * a merge repeats ids of the merged contacts.
 */
const isOwnName = (way: Place): boolean => /^((regionS|s)lug|takeFrom\/\w+)$/.test(way.join('/'));

function put(body: object, place: Place, value: string): void {
  let at = body as Record<string | number, unknown>;
  for (const step of place.slice(0, -1)) at = at[step] as typeof at;
  at[String(place.at(-1))] = value;
}

function scopeOf([first]: { apiKey?: Scope[] }[]): RouteScope {
  if (first === undefined) return 'public';
  return first.apiKey === undefined ? 'session' : (first.apiKey[0] ?? 'any');
}

/** An endpoint that API keys may call. */
export type KeyEndpoint = Endpoint & { scope: Scope | 'any' };

/** The endpoints of a document that API keys may call. */
export function keyEndpointsOf(document: unknown): KeyEndpoint[] {
  return endpointsOf(document).filter((each): each is KeyEndpoint => takesKeys(each));
}

const takesKeys = ({ scope }: Endpoint): boolean => scope !== 'public' && scope !== 'session';
