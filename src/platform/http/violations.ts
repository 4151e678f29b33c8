import type { FieldFault } from './problems.ts';

/** What a JSON Schema validator (Ajv) says of a value, as far as it is told to a client. */
export interface Violation {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Whether it is no object that was sent. */
export function isNoObject(violations: Violation[]): boolean {
  return violations.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === '');
}

/** What does not fit the schema of a body; each fault names its field. */
export function bodyFaults(violations: Violation[]): FieldFault[] {
  return few(violations.map(toFault));
}

/** Of one field, however much of it is wrong: a list of a thousand numbers would fill an answer. */
const FAULTS_OF_FIELD_MAX = 3;

/** The field of a body that a pointer leads to, or into. */
export function fieldOf(pointer: string): string {
  return pointer.split('/', 2)[1] ?? '';
}

function few(faults: FieldFault[]): FieldFault[] {
  const ofField = Map.groupBy(faults, ({ pointer }) => fieldOf(pointer));
  return [...ofField.values()].flatMap((each) => each.slice(0, FAULTS_OF_FIELD_MAX));
}

function toFault({ keyword, instancePath, params, message = 'is invalid' }: Violation): FieldFault {
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
    { string: 'a string', number: 'a finite number', array: 'an array' }[String(type)] ??
    String(type)
  );
}
