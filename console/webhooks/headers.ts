import { FieldError, readText } from '../parts/form/form.tsx';
import { texts } from './texts.ts';

/** Reads the headers of the form, one on each line, such as `Authorization: Bearer …`. */
export function readHeaders(values: FormData): Record<string, string> {
  const lines = (readText(values, 'headers') ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:\s]+)\s*:(.*)$/.exec(line.trim()) ?? [];
      if (name === undefined || value === undefined)
        throw new FieldError('headers', texts.headerFault);
      return [name, value.trim()];
    }),
  );
}
