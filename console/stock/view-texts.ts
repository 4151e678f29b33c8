export const texts = {
  columns: 'Columns',
  delete: (name: string) => `Delete ${name}`,
  deleted: (name: string) => `The view ${name} is deleted`,
  hint: 'It keeps the filters, the order and the columns.',
  menu: 'Views',
  name: 'Name',
  save: (name: string) => `Save the changes of ${name}`,
  saveAs: 'Save as a view',
  saved: (name: string) => `The view ${name} is saved`,
  share: 'For everybody',
  shared: (name: string) => `${name} (shared)`,
  views: 'Views',
};
