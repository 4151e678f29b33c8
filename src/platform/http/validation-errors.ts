import type { FieldFault } from './problems.ts';

/** An error of Ajv, as far as a client sees it. */
export interface Violation {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Whether the value is not an object. */
export function isNoObject(violations: Violation[]): boolean {
  return violations.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === '');
}

/** Turns the errors of a body into faults. Each names its field. */
export function bodyFaults(violations: Violation[]): FieldFault[] {
  return limitFaults(violations.map(toFault));
}

/** A list of a thousand wrong values would fill an answer. */
const FAULTS_OF_FIELD_MAX = 3;

/** Returns the field of a body that a pointer names, or whose value it points into. */
export function fieldOf(pointer: string): string {
  return pointer.split('/', 2)[1] ?? '';
}

function limitFaults(faults: FieldFault[]): FieldFault[] {
  const ofField = Map.groupBy(faults, ({ pointer }) => fieldOf(pointer));
  return [...ofField.values()].flatMap((each) => each.slice(0, FAULTS_OF_FIELD_MAX));
}

function toFault({ keyword, instancePath, params, message = 'is invalid' }: Violation): FieldFault {
  // Ajv reports these two at the object that has or lacks the field.
  const field = params['missingProperty'] ?? params['additionalProperty'];
  const pointer = field === undefined ? instancePath : `${instancePath}/${escapePointer(field)}`;
  const subject = pointer === '' ? 'The value' : pointer.slice(1);
  return { pointer, detail: `${subject} ${explain(keyword, params) ?? message}.` };
}

/** Escapes a name as RFC 6901 says. */
function escapePointer(name: unknown): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1');
}

function explain(keyword: string, params: Record<string, unknown>): string | undefined {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a field of this route';
  if (keyword === 'type') return `must be ${[params['type']].flat().map(nameOfType).join(' or ')}`;
  if (keyword === 'maxLength') return `must have at most ${String(params['limit'])} characters`;
  return undefined;
}

function nameOfType(type: unknown): string {
  return (
    {
      string: 'a string',
      number: 'a finite number',
      integer: 'a whole number',
      array: 'an array',
      object: 'an object',
    }[String(type)] ?? String(type)
  );
}
