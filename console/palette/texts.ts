export const texts = { title: 'Search' };
