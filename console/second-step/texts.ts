export const texts = {
  code: 'Code of the app',
  codeHint: 'Six digits, which change every 30 seconds.',
  codeWrong: 'This is not the code that the app shows now. Look at the app again.',
  codes: 'Recovery codes',
  copyCodes: 'Copy the codes',
  codesExplain:
    'Each works once instead of the app, if you lose it. Keep them where only you can read them. They are shown only once.',
  codesOf: (email: string) => `Recovery codes of ${email}`,
  haveKept: 'I have kept them',
  on: 'Turn on',
  print: 'Print',
  qr: 'QR code for an authenticator app',
  scan: 'Scan the code with an authenticator app on your phone, or type the secret into the app.',
  secret: 'Secret',
};
