export const texts = {
  account: 'Account',
  code: 'Code',
  codeHint: 'From your authenticator app, or one of your recovery codes.',
  demo: 'The owner of the demo signs in by the link that npm start prints. Each start prints a new one.',
  email: 'Email',
  forgot: 'Forgot it? Ask an owner or manager for a reset link.',
  hide: 'Hide',
  noOwner: 'Nobody can sign in yet?',
  noOwnerCommand: (slug: string) =>
    `npm run -s offplan -- users invite ${slug} you@example.com --role owner`,
  noOwnerExplain:
    'Whoever runs the service makes the first owner. This command prints a link for them:',
  otherAccount: 'Another account',
  password: 'Password',
  passwordRule: 'At least 12 characters, not a common password. A few words are easy to remember.',
  show: 'Show',
  showPassword: (action: string, label: string) => `${action}: ${label}`,
  signIn: 'Sign in',
  signInTitle: (account: string) => `Sign in to ${account}`,
  signOut: 'Sign out',
};
