export const texts = {
  sections: 'Settings',
};
