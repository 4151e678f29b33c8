import { groupBy } from '../group.ts';
import { invalidRequest, Problem } from './problems.ts';

/** What a JSON Schema validator (Ajv) says of a value, as far as it is told to a client. */
export interface Violation {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
}

type BodyFault = { pointer: string; detail: string };

/** The problem of a body that does not fit its schema; each fault names its field. */
export function invalidBody(violations: Violation[]): Problem {
  const notAnObject = violations.some(
    ({ keyword, instancePath }) => keyword === 'type' && instancePath === '',
  );
  if (notAnObject) return new Problem('malformed_body', 'The body must be a JSON object.');
  return invalidRequest(few(violations.map(toFault)));
}

/** Of one field, however much of it is wrong: a list of a thousand numbers would fill an answer. */
const FAULTS_OF_FIELD_MAX = 3;

function few(faults: BodyFault[]): BodyFault[] {
  const ofField = groupBy(faults, ({ pointer }) => pointer.split('/', 2).join('/'));
  return [...ofField.values()].flatMap((each) => each.slice(0, FAULTS_OF_FIELD_MAX));
}

function toFault({ keyword, instancePath, params, message = 'is invalid' }: Violation): BodyFault {
  const missing = keyword === 'required' ? `/${String(params['missingProperty'])}` : '';
  const pointer = instancePath + missing;
  return { pointer, detail: `${pointer.slice(1)} ${explain(keyword, params) ?? message}.` };
}

function explain(keyword: string, params: Record<string, unknown>): string | undefined {
  if (keyword === 'required') return 'is required';
  if (keyword === 'type') return `must be ${[params['type']].flat().map(nameOfType).join(' or ')}`;
  if (keyword === 'maxLength') return `must have at most ${String(params['limit'])} characters`;
  return undefined;
}

function nameOfType(type: unknown): string {
  return (
    { string: 'a text', number: 'a finite number', array: 'an array' }[String(type)] ?? String(type)
  );
}
