import type { Role } from '../../src/access/index.ts';
import { PROJECT_ID } from '../support/accounts.ts';

export const CONTACT_ID = '0196a000-0000-7000-8000-0000000000c1';
export const UNIT_ID = '0196a000-0000-7000-8000-0000000000d1';
export const DRAFT_ID = '0196a000-0000-7000-8000-000000000002';
const NOBODY = '0196a000-0000-7000-8000-0000000000ff';

const WRITERS: readonly Role[] = ['owner', 'manager', 'agent'];
const MANAGERS: readonly Role[] = ['owner', 'manager'];
const OWNERS: readonly Role[] = ['owner'];

type Request = ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string];

export interface Limit {
  roles: readonly Role[];
  /** The controls that only these roles see. "More › Archive" is in the menu or the dialog More. The first limit that fits counts. */
  controls: (string | RegExp)[];
  /** The requests of these controls, for something that does not exist. */
  requests?: Request[];
}

interface RoleScreen {
  path: string;
  heading: string;
  /** The roles that may open it. Without this, all may. */
  roles?: readonly Role[];
  /** The requests that only these roles may send. */
  requests?: Request[];
  /** The controls that not all of these roles see. All others are the same for all of them. */
  limits?: Limit[];
  /** The menus and dialogs whose controls are compared, too: the buttons and choices that open each. */
  opened?: string[][];
  /** The columns whose cells F2 opens for editing. */
  cells?: Record<string, readonly Role[]>;
}

const toContact = (path = '') => `/contacts/${NOBODY}${path}`;
const toProject = (path = '') => `/stock/projects/${NOBODY}${path}`;
const toUnit = `/stock/units/${NOBODY}`;

const SETTINGS_LINKS: Limit = {
  roles: OWNERS,
  controls: ['link API keys', 'link Webhooks'],
  requests: [
    ['GET', '/keys'],
    ['GET', '/webhooks'],
  ],
};
const PROJECT_MENU: Limit = {
  roles: MANAGERS,
  controls: ['button More', 'More › Unpublish', 'More › Archive'],
  requests: [
    ['POST', toProject('/archive')],
    ['POST', toProject('/unpublish')],
  ],
};
const UNIT_ACTIONS: Limit = {
  roles: MANAGERS,
  controls: [
    'button Add units',
    'button What to do with the units',
    'What to do with the units › Paste from a spreadsheet',
    'What to do with the units › Order by hand',
  ],
  requests: [
    ['POST', toProject('/units')],
    ['PUT', toProject('/units/order')],
  ],
};
const UNIT_SELECTION: Limit = {
  roles: MANAGERS,
  controls: ['checkbox Select all', 'checkbox Townhouse #'],
  requests: [['POST', '/stock/units/batch']],
};
const UNIT_CELLS = { Status: WRITERS, Price: MANAGERS, Lot: MANAGERS };

/** All screens, and who may do what on them. */
export const SCREENS: RoleScreen[] = [
  { path: '/', heading: 'Home' },
  {
    path: '/contacts',
    heading: 'Contacts',
    limits: [
      { roles: WRITERS, controls: ['button Add a contact'], requests: [['POST', '/contacts']] },
      { roles: MANAGERS, controls: ['button Export'], requests: [['GET', '/exports/contacts']] },
      {
        roles: MANAGERS,
        controls: ['checkbox Select all', 'checkbox Ana', 'checkbox one', 'checkbox two'],
        requests: [['POST', '/contacts/bulk']],
      },
      { roles: MANAGERS, controls: ['Save as a new view › checkbox Share with everybody'] },
    ],
    opened: [['View'], ['View', 'Save as a new view'], ['Filter'], ['Columns']],
    cells: { Stage: WRITERS, 'Assigned to': WRITERS, Email: [] },
  },
  {
    path: `/contacts/${CONTACT_ID}`,
    heading: 'Ana',
    limits: [
      {
        roles: WRITERS,
        controls: [
          'button Stage: New',
          'button Assigned to Nobody',
          'Assigned to Nobody › Hana (you)',
          'Assigned to Nobody › Nobody',
          /^button (Edit|Buyer type|Source).*: /,
          'More actions › Archive',
        ],
        requests: [
          ['PATCH', toContact()],
          ['POST', toContact('/archive')],
        ],
      },
      { roles: WRITERS, controls: ['button Copy email', 'button Copy phone'] },
      { roles: MANAGERS, controls: ['Assigned to Nobody › Hana'] },
      {
        roles: WRITERS,
        controls: [
          ...['Note', 'Call', 'Email', 'Text', 'Meeting', 'Viewing'].map((type) => `radio ${type}`),
          'field Write a note',
          'button Save note',
        ],
        requests: [['POST', toContact('/activities')]],
      },
      // Nobody of the account wrote this note.
      { roles: MANAGERS, controls: ['button Edit this note', 'button Delete this note'] },
      {
        roles: WRITERS,
        controls: ['button Remove the tag Investor', 'button Add a tag'],
        requests: [['POST', toContact('/tags')]],
      },
      {
        roles: WRITERS,
        controls: ['button Unlink Townhouse #', 'button Link a project or unit'],
        requests: [['POST', toContact('/links')]],
      },
      {
        roles: MANAGERS,
        controls: ['More actions › Download the person’s data'],
        requests: [['GET', toContact('/data')]],
      },
      {
        roles: OWNERS,
        controls: ['More actions › Erase this person'],
        requests: [['DELETE', toContact()]],
      },
    ],
    opened: [['Assigned to Nobody'], ['More actions']],
  },
  {
    path: '/pipeline',
    heading: 'Pipeline',
    limits: [
      {
        roles: WRITERS,
        controls: ['button Stage of Ana: New', 'button Move Ana'],
        requests: [['PATCH', toContact()]],
      },
    ],
  },
  {
    path: `/stock?project=${PROJECT_ID}`,
    heading: 'Stock',
    limits: [UNIT_ACTIONS, UNIT_SELECTION],
    opened: [['What to do with the units'], ['Views'], ['Filters'], ['Columns']],
    cells: UNIT_CELLS,
  },
  {
    path: `/stock?look=levels&project=${PROJECT_ID}`,
    heading: 'Stock',
    limits: [UNIT_ACTIONS],
    opened: [['What to do with the units']],
  },
  {
    path: `/stock?unit=${UNIT_ID}`,
    heading: 'Stock',
    limits: [
      {
        roles: MANAGERS,
        controls: [
          /^field (?!Status)/,
          /^option (?!Status: (Available|On Hold|Reserved)$)/,
          'button Choose a floor plan',
        ],
        requests: [['POST', '/media']],
      },
      {
        roles: WRITERS,
        controls: ['field Status', /^option Status/],
        requests: [['PATCH', toUnit]],
      },
      {
        roles: MANAGERS,
        controls: ['button Delete the unit'],
        requests: [['DELETE', toUnit]],
      },
    ],
  },
  {
    path: '/stock/projects',
    heading: 'Projects',
    limits: [
      {
        roles: MANAGERS,
        controls: ['button Add a project'],
        requests: [['POST', '/stock/projects']],
      },
    ],
  },
  {
    path: `/stock/projects/${PROJECT_ID}`,
    heading: 'Tūī Ridge',
    limits: [PROJECT_MENU, UNIT_ACTIONS, UNIT_SELECTION],
    opened: [['More'], ['What to do with the units']],
  },
  {
    path: `/stock/projects/${PROJECT_ID}?tab=details`,
    heading: 'Tūī Ridge',
    limits: [
      PROJECT_MENU,
      {
        roles: MANAGERS,
        controls: [/^(field|option)/, 'button Add a related project'],
        requests: [['PATCH', toProject()]],
      },
    ],
    opened: [['More']],
  },
  {
    path: `/stock/projects/${PROJECT_ID}?tab=pictures`,
    heading: 'Tūī Ridge',
    limits: [
      PROJECT_MENU,
      { roles: MANAGERS, controls: ['button Choose pictures'], requests: [['POST', '/media']] },
    ],
    opened: [['More']],
  },
  {
    path: `/stock/projects/${PROJECT_ID}?tab=price-list`,
    heading: 'Tūī Ridge',
    limits: [
      PROJECT_MENU,
      {
        roles: MANAGERS,
        controls: ['button Send a CSV back'],
        requests: [['PUT', toProject('/price-list.csv')]],
      },
    ],
    opened: [['More']],
  },
  {
    path: `/stock/projects/${PROJECT_ID}?tab=preview`,
    heading: 'Tūī Ridge',
    limits: [PROJECT_MENU],
    opened: [['More']],
  },
  {
    path: `/stock/projects/${DRAFT_ID}?tab=preview`,
    heading: 'Rātā Heights',
    limits: [
      {
        roles: MANAGERS,
        controls: ['button Publish', 'button More', 'More › Archive', 'More › Delete'],
        requests: [
          ['POST', toProject('/publish')],
          ['DELETE', toProject()],
        ],
      },
    ],
    opened: [['More']],
  },
  {
    path: '/import',
    heading: 'Import',
    roles: MANAGERS,
    requests: [['POST', '/contact-files']],
  },
  {
    path: '/imports',
    heading: 'Import log',
    roles: MANAGERS,
    requests: [
      ['GET', '/imports'],
      ['POST', '/imports/retry'],
      ['POST', '/imports/dismiss'],
    ],
  },
  {
    path: '/duplicates',
    heading: 'Duplicates',
    roles: MANAGERS,
    requests: [
      ['GET', '/contacts/duplicates'],
      ['POST', toContact('/merge')],
    ],
  },
  { path: '/audit', heading: 'Audit', roles: MANAGERS, requests: [['GET', '/changes']] },
  {
    path: '/settings/account',
    heading: 'Account',
    limits: [
      SETTINGS_LINKS,
      {
        roles: OWNERS,
        controls: [/^(field|option)/, 'button Save'],
        requests: [['PATCH', '/organization']],
      },
    ],
  },
  {
    path: '/settings/people',
    heading: 'People',
    limits: [
      SETTINGS_LINKS,
      {
        roles: MANAGERS,
        controls: ['button Invite a person', 'button Change: Hana'],
        requests: [['POST', '/users']],
      },
      {
        roles: OWNERS,
        controls: ['Invite a person › radio Owner', 'Invite a person › radio Manager'],
      },
      {
        roles: MANAGERS,
        controls: ['Invite a person › radio Agent', 'Invite a person › radio Viewer'],
      },
    ],
    opened: [['Invite a person']],
  },
  {
    path: '/settings/tags',
    heading: 'Tags',
    limits: [
      SETTINGS_LINKS,
      {
        roles: MANAGERS,
        controls: ['button Create a tag', 'button Change: Investor'],
        requests: [['POST', '/tags']],
      },
    ],
  },
  { path: '/settings/keys', heading: 'API keys', roles: OWNERS, requests: [['POST', '/keys']] },
  {
    path: '/settings/webhooks',
    heading: 'Webhooks',
    roles: OWNERS,
    requests: [['POST', '/webhooks']],
  },
  { path: '/profile', heading: 'Profile' },
];
