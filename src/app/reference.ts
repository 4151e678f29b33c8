/** The introduction of the API's reference. */
export const DESCRIPTION = `Websites and portals read a developer's stocklist and project pages, and push leads into it. Everything that the web console
does is here, too: its pages are a client of this API.

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. A key with read access reads the stock. One with read-write
access imports contacts, too. Every other endpoint needs a key that has its scope, or the session of a person whose role has it.

Every error is a problem (RFC 9457) with a \`code\` that stays the same; branch on it.`;

/** The groups of endpoints, in the order of the reference. */
export const GROUPS = [
  {
    name: 'Stock',
    description:
      'The live projects of the account and their units, for its website and for portals.',
  },
  {
    name: 'Contacts',
    description: 'Leads and buyers: importing, listing, changing, merging and erasing them.',
  },
  {
    name: 'Activities',
    description: 'Notes, calls, emails, texts, meetings and viewings of contacts.',
  },
  { name: 'Tags', description: 'The labels and the sources of contacts.' },
  {
    name: 'Contact files',
    description: 'Files of contacts that are imported in the background.',
  },
  {
    name: 'Import log',
    description: 'Every import, accepted or refused, so that people can correct the refused ones.',
  },
  { name: 'Projects', description: 'All projects of the account, also drafts and archived ones.' },
  { name: 'Units', description: 'The units of the projects, and price lists.' },
  { name: 'Pictures', description: 'The pictures of projects, units and the organization.' },
  { name: 'Exports', description: 'Rows of the account as files, and all data of one person.' },
  {
    name: 'Figures',
    description: 'Counts of leads and of stock, and the times to the first answer.',
  },
  { name: 'Views', description: 'Saved filters, orders and columns of lists.' },
  {
    name: 'Changes',
    description: 'The log of changes: who changed which field, from which value to which.',
  },
  {
    name: 'Events',
    description: 'The events of the account in order, for other systems to follow.',
  },
  { name: 'Webhooks', description: 'Addresses to which events are sent.' },
  { name: 'People', description: 'The people of the account, and how they sign in.' },
  { name: 'Keys', description: 'API keys of the account.' },
  { name: 'Settings', description: 'The organization, and the settings of the account.' },
];
