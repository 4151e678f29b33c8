import type { FileResult } from '../files/file-result.ts';
import { REASONS_MAX, type Remark } from './schemas.ts';

const SHORT_PHONE =
  'a phone is a number that a spreadsheet has shortened, such as 2.1555E+08, and its last digits may be lost';

/** Lists the values that a run changes or leaves out, the most frequent first. */
export function listRemarks({ remarks, unlisted, shortPhones }: FileResult): Remark[] {
  const others = Object.entries(unlisted).flatMap(([field, counts]) =>
    [...counts].map(([text, count]): Remark => ({
      detail: `${field} "${text}" becomes Other`,
      count,
    })),
  );
  const short = shortPhones.count === 0 ? [] : [{ detail: SHORT_PHONE, count: shortPhones.count }];
  const leftOut = [...remarks].map(([detail, count]): Remark => ({ detail, count }));
  return [...leftOut, ...others, ...short]
    .map(({ detail, count }) => ({ detail: `${detail}.`, count }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, REASONS_MAX);
}
