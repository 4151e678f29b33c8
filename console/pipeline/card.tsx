import { memo, useRef, type KeyboardEvent } from 'react';
import { useButton, useDrag } from 'react-aria';
import { Link } from 'wouter';
import type { Contact } from '../api.ts';
import { Icon } from '../parts/button/icon.tsx';
import { nameContact } from '../parts/domain/contact-name.ts';
import { Stage, STAGES } from '../parts/domain/status.tsx';
import { isShortcut } from '../parts/keyboard/single-keys.ts';
import { MenuButton } from '../parts/popup/menu.tsx';
import { preloadPopup } from '../parts/popup/popup.tsx';
import { useSession } from '../session/session.tsx';
import { texts } from './texts.ts';

export const CONTACT_TYPE = 'application/x-offplan-contact';

const STAGE_CHOICES = STAGES.map((stage) => ({
  id: stage,
  label: <Stage stage={stage} />,
  text: stage,
}));

interface CardProps {
  contact: Contact;
  /** The name of the person to whom the contact is assigned. */
  assigned: string;
  /** The project and unit of the first link. */
  link: string | undefined;
  /** How long ago somebody was last in contact. */
  ago: string;
  onMove: (contact: Contact, stage: string) => void;
}

/** A contact on the board. It renders again only when what it shows has changed. A person moves it by dragging, by the keys of its handle, or by the menu of stages. */
export const Card = memo(function Card({ contact, assigned, link, ago, onMove }: CardProps) {
  const { can } = useSession();
  const name = nameContact(contact);
  const isMovable = can('contacts:write');
  const handle = useRef<HTMLButtonElement>(null);
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    hasDragButton: true,
    isDisabled: !isMovable,
    getAllowedDropOperations: () => ['move'],
    getItems: () => [{ [CONTACT_TYPE]: JSON.stringify(contact), 'text/plain': name }],
  });
  const { buttonProps } = useButton(dragButtonProps, handle);
  return (
    // The card handles the keys of its controls, which bubble up to it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      {...dragProps}
      className={isDragging ? 'board-card board-card-dragged' : 'board-card'}
      onFocus={() => preloadPopup(true)}
      onKeyDown={openStages}
    >
      <div className="board-card-head">
        <Link href={`/contacts/${contact.id}`} title={name} dir="auto">
          {name}
        </Link>
        {isMovable && (
          <button
            {...buttonProps}
            ref={handle}
            type="button"
            className="handle"
            aria-label={texts.move(name)}
          >
            <Icon name="grip" />
          </button>
        )}
      </div>
      {link !== undefined && (
        <p className="board-card-link" title={link}>
          {link}
        </p>
      )}
      <p className="board-card-line">{assigned}</p>
      <p className="board-card-line board-card-foot">
        <span title={texts.lastActivity(ago)}>{ago}</span>
        {isMovable && (
          <MenuButton
            look="bare"
            name={texts.stageOf(name, contact.stage ?? '')}
            label={texts.stage}
            chosen={contact.stage ?? ''}
            choices={STAGE_CHOICES}
            onChoose={(stage) => onMove(contact, stage)}
          />
        )}
      </p>
    </li>
  );
});

/** Opens the menu of stages when the person presses `S` on a card. */
function openStages(event: KeyboardEvent<HTMLElement>): void {
  if (event.key.toLowerCase() !== 's' || !isShortcut(event.nativeEvent)) return;
  event.preventDefault();
  const menu = event.currentTarget.querySelector<HTMLElement>('[aria-haspopup=menu]');
  menu?.focus();
  menu?.click();
}
