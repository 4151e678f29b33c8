import { formatCount } from '../../parts/text/format.ts';

export const texts = {
  applied: (count: number) => `${formatCount(count, 'unit', 'units')} changed`,
  apply: (count: number) => `Change ${formatCount(count, 'unit', 'units')}`,
  applyOthers: (count: number) => `Apply the other ${count}`,
  back: 'Back',
  changed: (count: number, all: number) => `${count} of ${all} changed or deleted meanwhile`,
  changedExplain: 'Nothing is stored yet. These are not as the preview showed them:',
  deleted: 'Deleted',
  field: 'Field',
  nothing: 'This changes nothing.',
  now: 'Now',
  leftOut: (count: number) => `${formatCount(count, 'unit is', 'units are')} refused and left out`,
  new: 'After',
  others: (count: number) =>
    `${formatCount(count, 'unit stays as it is', 'units stay as they are')}.`,
  priceMax: 'The new price would be above 10,000,000,000,000. Raise it by less.',
  previewTable: 'Preview',
  previewName: 'Changes of the selected units',
  reason: 'Why',
  reload: 'Reload',
  total: (before: string, after: string) => `Together ${before} → ${after}`,
  undone: (count: number) => `${formatCount(count, 'unit', 'units')} as before`,
  unit: 'Unit',
  withdraws: (count: number) =>
    `${formatCount(count, 'unit leaves', 'units leave')} the website. Links of contacts stay.`,
  yours: 'Yours',
};
