/**
 * Reads rows page by page, until a page is empty. `readAfter` reads the rows after the last one of the page before; undefined
 * means the first page.
 */
export async function* readPages<Row>(
  readAfter: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  for (;;) {
    const page = await readAfter(last);
    last = page.at(-1);
    if (last === undefined) return;
    yield page;
  }
}
