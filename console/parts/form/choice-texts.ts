export const choiceTexts = {
  chosen: (label: string, value: string) => `${label}: ${value}`,
  notFound: 'Nothing has this name.',
};
