export const texts = {
  amount: 'By an amount',
  amountHint: 'Such as 5,000 or 5k, or -5,000 to lower.',
  by: 'How',
  percent: 'By per cent',
  percentHint: 'Such as 2, or -1.5 to lower.',
  preview: 'Preview',
  priceStays: 'Units without a price stay as they are. A text that repeats the price follows it.',
  round: 'Round to',
  roundNone: 'Do not round',
  statusLabel: 'Status',
  tooMany: 'A change is for at most 1,000 units. Narrow the filter.',
};
