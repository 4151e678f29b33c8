export const texts = {
  selectAll: 'Select all',
  selectRow: 'Select row',
  loadFailed: 'More rows could not be loaded.',
  retry: 'Try again',
  columnWidth: (title: string) => `Width of ${title}`,
  moveEarlier: (title: string) => `Move ${title} earlier`,
  moveLater: (title: string) => `Move ${title} later`,
  resetColumns: 'Back to the usual columns',
};
