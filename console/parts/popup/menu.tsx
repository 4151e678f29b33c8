import type { ReactNode } from 'react';
import { Icon } from '../button/icon.tsx';
import { texts } from '../text/texts.ts';
import type { MenuChoice } from './menu-list.tsx';
import { MenuList, Popup } from './popup.tsx';
import '../button/button.css';

export type { MenuChoice } from './menu-list.tsx';

interface MenuButtonProps {
  label: ReactNode;
  /** The name for screen readers, when the label does not say what the menu is for. */
  name?: string;
  choices: readonly MenuChoice[];
  onChoose: (id: string) => void;
  /** The current choice, which has a check mark. */
  chosen?: string;
  look?: 'plain' | 'bare';
  /** The single key that opens the menu. */
  shortcut?: string | undefined;
}

/** A button that opens a menu. */
export function MenuButton({
  label,
  name,
  look = 'plain',
  shortcut,
  onChoose,
  ...list
}: MenuButtonProps) {
  const title = name ?? (typeof label === 'string' ? label : texts.menu);
  return (
    <Popup
      className={`button button-${look}`}
      name={name}
      title={title}
      isMenu
      shortcut={shortcut}
      button={
        <>
          {label}
          <Icon name="down" />
        </>
      }
    >
      {(close) => (
        <MenuList
          {...list}
          name={title}
          onChoose={(id) => {
            close();
            onChoose(id);
          }}
        />
      )}
    </Popup>
  );
}
