export const texts = {
  title: (stage: string) => `Which unit is ${stage}?`,
  explain: (name: string) => `${name} is not linked to a unit yet.`,
  set: (unit: string, status: string) => `${unit} is ${status} now`,
  setBack: (unit: string, status: string) => `${unit} is ${status} again`,
  taken: (unit: string, status: string) =>
    `${unit} is ${status} now: somebody else has just changed it. Nothing is saved yet.`,
  buyer: (name: string, stage: string) => `${name} (${stage})`,
  buyers: (unit: string, buyers: string) => `${unit} is with ${buyers} already.`,
  setStatus: (unit: string, status: string) => `Also set ${unit} to ${status}`,
  otherStatus: (status: string) => `An owner or a manager sets it to ${status}.`,
  without: 'Go on without a unit',
  move: (stage: string) => `Move to ${stage}`,
  change: 'Choose another',
};
