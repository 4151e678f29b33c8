import type { ReactNode, RefObject } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import './popup-panel.css';

interface PanelProps {
  triggerRef: RefObject<Element | null>;
  title: string;
  /** Whether it holds a menu, which has its own role. Otherwise the panel is a dialog. */
  isMenu?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The panel of a `Popup`. It is open for as long as it is rendered. */
export default function PopupPanel({
  triggerRef,
  title,
  isMenu = false,
  onClose,
  children,
}: PanelProps) {
  return (
    <Popover
      className="popup-panel"
      // React Aria makes a dialog of the element around a menu.
      {...(isMenu && { 'aria-label': title })}
      triggerRef={triggerRef}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      {isMenu ? children : <Dialog aria-label={title}>{children}</Dialog>}
    </Popover>
  );
}
