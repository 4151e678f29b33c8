import type { ReactNode, RefObject } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import './popup-panel.css';

interface PanelProps {
  triggerRef: RefObject<Element | null>;
  title: string | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** The panel of a `Popup`. It is open for as long as it is rendered. */
export default function PopupPanel({ triggerRef, title, onClose, children }: PanelProps) {
  return (
    <Popover
      className="popup-panel"
      triggerRef={triggerRef}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      {title === undefined ? children : <Dialog aria-label={title}>{children}</Dialog>}
    </Popover>
  );
}
