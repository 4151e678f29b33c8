import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Media {
  schema: object;
}
interface Operation {
  responses: Record<string, { content?: Record<string, Media> }>;
  security?: object[];
}
/** An OpenAPI document, as far as the tests look into it. */
export interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

/** A request of a test and its answer. */
export interface Exchange {
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  contentType: string;
  body: unknown;
}

/** Reads the body of an answer: JSON as its value, another type as its text. */
export function readBody(contentType: string, text: string): unknown {
  const [type = ''] = contentType.split(';');
  if (/^text\/|ndjson$/.test(type) && text !== '') return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const BASE = '/api/v1';
const PROBLEM_TYPE = 'application/problem+json';

type DocumentCheck = (exchange: Exchange) => string | undefined;

/** The checks made so far by the text of their documents: compiling the schemas takes longer than most tests. */
const checks = new Map<string, DocumentCheck>();

/**
 * Returns a check that an answer is one which the document describes; a problem outside its paths is only a problem.
 * The check returns the operation that the document knows the exchange by: `post /contacts`.
 */
export function documentCheck(document: Document): DocumentCheck {
  const text = JSON.stringify(document);
  const check = checks.get(text) ?? createCheck(document);
  checks.set(text, check);
  return check;
}

function createCheck(document: Document): DocumentCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ ...document, $id: 'document' });
  // `/imports/retry` is not an `/imports/{importId}`.
  const templates = Object.keys(document.paths).toSorted(
    (one, other) => one.split('{').length - other.split('{').length,
  );
  const known = templates.map((template) => {
    const pattern = new RegExp(`^${BASE}${template.replace(/\{\w+\}/g, '[^/]+')}$`);
    return { template, pattern };
  });

  function schemaAt(...path: string[]): string {
    const pointer = path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
    return `document#/${pointer.map(encodeURIComponent).join('/')}`;
  }

  return ({ method, path, status, contentType, body }) => {
    const [type = ''] = contentType.split(';');
    const template = known.find(({ pattern }) => pattern.test(path))?.template;
    // A HEAD is answered as the GET, without the body.
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = template === undefined ? undefined : document.paths[template]?.[verb];
    if (template === undefined || operation === undefined) {
      if (type === PROBLEM_TYPE && body !== undefined)
        check(schemaAt('components', 'schemas', 'Problem'), body);
      return undefined;
    }
    const response = operation.responses[String(status)];
    assert.ok(response, `${method} ${path}: ${status} is not in the document`);
    if (method === 'HEAD' || response.content === undefined) {
      assert.equal(body, undefined, `${method} ${path}: ${status} has a body`);
      return `${verb} ${template}`;
    }
    assert.ok(
      response.content?.[type],
      `${method} ${path}: ${status} ${type} is not in the document`,
    );
    check(
      schemaAt('paths', template, verb, 'responses', String(status), 'content', type, 'schema'),
      body,
    );
    return `${verb} ${template}`;
  };

  function check(schema: string, body: unknown): void {
    const validate = ajv.getSchema(schema);
    assert.ok(validate, `${schema} is not in the document`);
    assert.ok(validate(body), `${schema}: ${ajv.errorsText(validate.errors)}`);
  }
}
