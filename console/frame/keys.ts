import type { keyTexts } from './key-texts.ts';

export interface KeyGroup {
  name: keyof (typeof keyTexts)['groups'];
  keys: [key: string, action: keyof (typeof keyTexts)['actions']][];
}

/** All shortcuts, grouped by the place where they work. */
export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    name: 'everywhere',
    keys: [
      ['Ctrl K', 'palette'],
      ['/', 'search'],
      ['G H, G C, G P, G S', 'pages'],
      ['G I, G D', 'leads'],
      ['Ctrl Z', 'undo'],
      ['?', 'list'],
    ],
  },
  {
    name: 'contact',
    keys: [
      ['J, K', 'neighbours'],
      ['E', 'edit'],
      ['N', 'note'],
      ['S', 'stage'],
      ['A', 'assign'],
      ['T', 'tag'],
      ['Ctrl Enter', 'save'],
    ],
  },
  {
    name: 'grid',
    keys: [
      ['↑ ↓ ← →', 'move'],
      ['Ctrl Home, Ctrl End', 'ends'],
      ['Enter', 'open'],
      ['F2', 'editCell'],
      ['Escape', 'leave'],
      ['Space, X', 'select'],
    ],
  },
  {
    name: 'pipeline',
    keys: [
      ['Enter, Tab, Enter', 'take'],
      ['S', 'stageOfCard'],
    ],
  },
];
