export type LinkKind = 'start' | 'invite' | 'reset';

/** The texts of the page that opens a link. They are not in texts.ts, which loads with every page. */
export const linkTexts = {
  signIn: 'Sign in with a password',
  action: { start: 'Start', invite: 'Join', reset: 'Set the password' },
  whose: (name: string, email: string) => (name === email ? email : `${name}, ${email}`),
  gone: {
    start:
      'It was used, or is too old. The service prints a new one when it starts while nobody can sign in. This command also makes one:',
    invite:
      'It was used, is too old, or a newer one was made. Ask an owner or manager for a new one.',
    reset:
      'It was used, is too old, or a newer one was made. Ask an owner or manager for a new one.',
  },
  goneTitle: 'This link does not work any more',
  name: 'Name',
  opening: 'Your link',
  title: {
    start: (account: string) => `Start with ${account}`,
    invite: (account: string) => `Join ${account}`,
    reset: (account: string) => `A new password for ${account}`,
  },
  until: (when: string) => `The link works until ${when}.`,
};
