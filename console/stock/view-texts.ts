export const texts = {
  columns: 'Columns',
  views: 'Views',
};
