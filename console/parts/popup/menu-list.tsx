import type { ReactNode } from 'react';
import { Menu, MenuItem } from 'react-aria-components';
import { Icon } from '../button/icon.tsx';
import './menu-list.css';

export interface MenuChoice {
  id: string;
  label: ReactNode;
  /** The text for type-ahead, when the label is not a text. */
  text?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
}

interface MenuListProps {
  /** The name for screen readers. */
  name: string;
  choices: readonly MenuChoice[];
  onChoose: (id: string) => void;
  chosen?: string;
}

/** The list of choices of an open menu. */
export default function MenuList({ name, choices, onChoose, chosen }: MenuListProps) {
  return (
    <Menu
      className="menu"
      aria-label={name}
      autoFocus="first"
      selectionMode={chosen === undefined ? 'none' : 'single'}
      selectedKeys={chosen === undefined ? [] : [chosen]}
      onAction={(id) => onChoose(String(id))}
    >
      {choices.map(({ id, label, text, isDanger = false, isDisabled = false }) => (
        <MenuItem
          key={id}
          id={id}
          textValue={text ?? (typeof label === 'string' ? label : id)}
          isDisabled={isDisabled}
          className={isDanger ? 'menu-item menu-danger' : 'menu-item'}
        >
          {label}
          {id === chosen && <Icon name="check" />}
        </MenuItem>
      ))}
    </Menu>
  );
}
