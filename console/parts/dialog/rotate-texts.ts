/** The texts of the dialog that rotates a key or a secret, which is loaded only then. */
export const rotateTexts = {
  overlaps: { 0: 'No longer', 3600: 'One hour', 86400: 'One day', 604800: 'One week' },
};
