export const sectionTexts = {
  contacts: 'Interested contacts',
  noContacts: 'Nobody is linked to it yet.',
  allContacts: 'Show all of them',
  history: 'History',
  noHistory: 'Nothing has changed yet.',
  moreHistory: 'Show more',
  plan: 'Floor plan',
  noPlan: 'No floor plan yet.',
  addPlan: 'Choose a floor plan',
  replacePlan: 'Replace',
  removePlan: 'Remove',
  openPlan: 'Open it in full',
  of: (name: string) => `Floor plan of ${name}`,
  change: (field: string, before: string, after: string) => `${field}: ${before} → ${after}`,
  refused:
    'The file was refused. Send a JPEG, PNG, WebP or AVIF that is not damaged, up to 20 MiB.',
};
