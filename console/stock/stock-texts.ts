/** The texts that the pages of the stock share. */
export const stockTexts = {
  stock: 'Stock',
  units: 'Units',
  projects: 'Projects',
  noPrice: 'No price',
  priceRange: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
};
