import type { Layout, Survey } from '../../imports/index.ts';
import { print, printTable } from '../output.ts';

const SAMPLE_MAX_LENGTH = 30;

/** Prints the columns of a file as a dry run shows them: the field and up to three values of each. */
export async function printColumns(layout: Layout, { samples }: Survey): Promise<void> {
  const { delimiter, names, fields } = layout;
  if (delimiter === null) return;
  const rows = names.map((name, at) => [
    name,
    fields[at] ?? 'not imported',
    (samples[at] ?? []).map(shorten).join(' | '),
  ]);
  await printTable(['COLUMN', 'FIELD', 'VALUES'], rows);
  await print('\n');
}

function shorten(value: string): string {
  const line = value.replace(/\s+/gu, ' ').trim();
  if (line.length <= SAMPLE_MAX_LENGTH) return line;
  return `${line.slice(0, SAMPLE_MAX_LENGTH).toWellFormed()}…`;
}
