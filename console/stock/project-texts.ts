export const projectTexts = {
  none: 'There is none yet. Add the first one under Projects.',
};
