import type { Scope } from '../api.ts';
import type { keyTexts } from './key-texts.ts';

export interface KeyGroup {
  name: keyof (typeof keyTexts)['groups'];
  /** The last element is the scope without which the key does nothing. */
  keys: [key: string, action: keyof (typeof keyTexts)['actions'], scope?: Scope][];
}

/** The shortcuts, but those that open a page, grouped by the place where they work. */
export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    name: 'everywhere',
    keys: [
      ['Ctrl K', 'palette'],
      ['/', 'search'],
      ['Ctrl Z', 'undo', 'contacts:write'],
      ['?', 'list'],
    ],
  },
  {
    name: 'contact',
    keys: [
      ['J, K', 'neighbours'],
      ['E', 'edit', 'contacts:write'],
      ['N', 'note', 'contacts:write'],
      ['S', 'stage', 'contacts:write'],
      ['A', 'assign', 'contacts:write'],
      ['T', 'tag', 'contacts:write'],
      ['Ctrl Enter', 'save', 'contacts:write'],
    ],
  },
  {
    name: 'grid',
    keys: [
      ['↑ ↓ ← →', 'move'],
      ['Ctrl Home, Ctrl End', 'ends'],
      ['Enter', 'open'],
      ['F2', 'editCell', 'contacts:write'],
      ['Escape', 'leave', 'contacts:write'],
      ['Space, X', 'select', 'contacts:manage'],
    ],
  },
  {
    name: 'pipeline',
    keys: [
      ['Enter, Tab, Enter', 'take', 'contacts:write'],
      ['S', 'stageOfCard', 'contacts:write'],
    ],
  },
];
