import { formatCount } from '../parts/text/format.ts';

export const texts = {
  availableOnly: 'Available only',
  column: 'Column',
  columns: 'Columns',
  download: 'Download as CSV',
  empty: 'No unit to show.',
  explainSend:
    'Download the list, edit it in a spreadsheet, and send it back. What it changes is shown first.',
  ignored: (columns: string) => `These columns are left out: ${columns}.`,
  isOld: 'Somebody has changed the unit since. Download the list again.',
  leftOut: (count: number) => `${formatCount(count, 'row is', 'rows are')} refused and left out`,
  list: 'Price list',
  made: (time: string) => `As of ${time}`,
  paste: {
    title: 'Paste from a spreadsheet',
    explain:
      'Copy cells in your spreadsheet and paste them here. Units are found by lot or by name. An empty cell empties its field.',
    label: 'Cells',
    column: (letter: string) => `Column ${letter}`,
    leaveOut: 'Leave out',
    noUnit: 'Choose which column has the lot or the name.',
    preview: 'Preview',
    quoted: (value: string) => `“${value}”`,
    refused: (cell: string, reason: string) => `${cell}: ${reason}`,
    first: 'The first line has the names of the columns',
    sample: 'First lines',
  },
  print: 'Print',
  reason: 'Why',
  row: 'Row',
  send: 'Send a CSV back',
  tooMany: 'More than 1,000 units change. Send a part of the list.',
};
