/** The texts of the page that asks for the account. They are not in texts.ts, which loads with every page. */
export const chooseTexts = {
  chooseTitle: 'Which account?',
  chooseHint: 'The short name is in the link that you got, after /a/.',
  chooseKnown: 'Used in this browser',
  go: 'Go on',
};
