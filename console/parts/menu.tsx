import { lazy, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { MenuChoice } from './menu-list.tsx';
import { Popup } from './popup.tsx';
import './button.css';

export type { MenuChoice } from './menu-list.tsx';

const MenuList = lazy(() => import('./menu-list.tsx'));

interface MenuButtonProps {
  label: ReactNode;
  /** The name for screen readers, when the label does not say what the menu is for. */
  name?: string;
  choices: readonly MenuChoice[];
  onChoose: (id: string) => void;
  /** The choice that holds now: it has a check mark. */
  chosen?: string;
  look?: 'plain' | 'bare';
}

/** A button that opens a menu. */
export function MenuButton({ label, name, look = 'plain', onChoose, ...list }: MenuButtonProps) {
  return (
    <Popup
      className={`button button-${look}`}
      name={name}
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
          onChoose={(id) => {
            close();
            onChoose(id);
          }}
        />
      )}
    </Popup>
  );
}
