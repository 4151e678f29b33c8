export type LinkKind = 'start' | 'invite' | 'reset';

export const texts = {
  account: 'Account',
  chooseTitle: 'Which account?',
  chooseHint: 'The short name is in the link that you got, after /a/.',
  chooseKnown: 'Used in this browser',
  go: 'Go on',
  code: 'Code',
  codeHint: 'From your authenticator app, or one of your recovery codes.',
  confirm: 'Confirm',
  confirmTitle: 'Confirm your password',
  confirmExplain: 'You signed in a while ago, and this needs your password again.',
  confirmFailed: 'The password is wrong.',
  confirmFailedWithCode: 'The password or the code is wrong.',
  demo: 'The owner of the demo signs in by the link that npm start prints. Each start prints a new one.',
  demoEnded:
    'You came by the link of the demo, without a password. Start the service again: it prints a new link. Open it in this browser, and this page goes on.',
  email: 'Email',
  endedTitle: 'Your session has ended',
  endedExplain: 'Sign in again. The page and what you have typed stay.',
  forgot: 'Forgot it? Ask an owner or manager for a reset link.',
  haveSignedIn: 'Sign in with a password',
  hide: 'Hide',
  linkAction: { start: 'Start', invite: 'Join', reset: 'Set the password' },
  linkFor: (name: string, email: string) => (name === email ? email : `${name}, ${email}`),
  linkGone: {
    start:
      'It was used, or is too old. The service prints a new one when it starts while nobody can sign in. This command also makes one:',
    invite:
      'It was used, is too old, or a newer one was made. Ask an owner or manager for a new one.',
    reset:
      'It was used, is too old, or a newer one was made. Ask an owner or manager for a new one.',
  },
  linkGoneTitle: 'This link does not work any more',
  linkOpening: 'Your link',
  linkTitle: {
    start: (account: string) => `Start with ${account}`,
    invite: (account: string) => `Join ${account}`,
    reset: (account: string) => `A new password for ${account}`,
  },
  linkUntil: (when: string) => `The link works until ${when}.`,
  name: 'Name',
  noOwner: 'Nobody can sign in yet?',
  noOwnerCommand: (slug: string) =>
    `npm run -s offplan -- users invite ${slug} you@example.com --role owner`,
  noOwnerExplain:
    'Whoever runs the service makes the first owner. This command prints a link for them:',
  otherAccount: 'Another account',
  otherTab: 'I have signed in in another tab',
  password: 'Password',
  passwordRule: 'At least 12 characters, not a common password. A few words are easy to remember.',
  setUpExplain: 'Your account asks for a second step. What you were doing goes on afterwards.',
  setUpTitle: 'Turn your second step on',
  show: 'Show',
  showPassword: (action: string, label: string) => `${action}: ${label}`,
  signIn: 'Sign in',
  signInTitle: (account: string) => `Sign in to ${account}`,
  signOut: 'Sign out',
};
