export const texts = {
  showAsTable: 'Show as a table',
};
