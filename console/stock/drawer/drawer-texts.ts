export const drawerTexts = {
  gone: 'This unit is gone.',
  delete: 'Delete the unit',
  deleteExplain: 'It is deleted for good. To take it off the website, withdraw it.',
  deleted: (name: string) => `${name} is deleted`,
  inUse: 'Contacts are linked to it, so it stays. Withdraw it instead.',
  price: (shown: string) => `Websites show: ${shown}`,
};
