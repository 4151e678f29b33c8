/** The texts of the dialog of a conflict, which is loaded only then. */
export const conflictTexts = {
  other: {
    title: 'Somebody else changed this',
    explain: (when: string, who: string) => `${who} changed it ${when}, after you had opened it.`,
    keep: 'Keep theirs',
  },
  self: {
    title: 'You changed this since',
    explain: (when: string) => `You changed it ${when}, here or in another tab.`,
    keep: 'Keep it as it is now',
  },
  unknown: {
    title: 'This has changed since',
    explain: () => 'It was changed after you had opened it.',
    keep: 'Keep it as it is now',
  },
  theirs: 'Now',
  mine: 'Yours',
  before: 'Before',
  field: 'Field',
  takeMine: 'Use mine',
  undo: 'Undo anyway',
};
