import type { FileShape } from '../submission.ts';
import type { Columns } from './columns.ts';

type Details = Pick<FileShape, 'spelling' | 'set'>;

/** Describes how the rows of a file are read, for the import log. */
export function makeShape(
  name: string,
  { delimiter, fields, shared, isReport }: Columns & Pick<FileShape, 'delimiter'>,
  { spelling = {}, set }: Details,
): FileShape {
  return {
    name,
    delimiter,
    fields,
    ...(shared.length > 0 && { shared }),
    ...(isReport && { isReport }),
    ...(Object.keys(spelling).length > 0 && { spelling }),
    ...(set !== undefined && { set }),
  };
}
