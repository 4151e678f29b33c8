/** The texts of the questions that interrupt a request. They are not in texts.ts, which loads with every page. */
export const questionTexts = {
  confirm: 'Confirm',
  confirmTitle: 'Confirm your password',
  confirmExplain: 'You signed in a while ago, and this needs your password again.',
  confirmFailed: 'The password is wrong.',
  confirmFailedWithCode: 'The password or the code is wrong.',
  demoEnded:
    'You came by the link of the demo, without a password. Start the service again: it prints a new link. Open it in this browser, and this page goes on.',
  endedTitle: 'Your session has ended',
  endedExplain: 'Sign in again. The page and what you have typed stay.',
  otherTab: 'I have signed in in another tab',
  setUpExplain: 'Your account asks for a second step. What you were doing goes on afterwards.',
  setUpTitle: 'Turn your second step on',
};
