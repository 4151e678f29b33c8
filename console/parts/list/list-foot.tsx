import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { keepFocus, keepRowInView } from '../keyboard/keep-focus.ts';
import { noteHeight } from '../message/note-height.ts';
import { texts } from '../text/texts.ts';
import './list-foot.css';

/** The toasts lie above the lines below a list, so that they cover no button. */
const noteFoot = noteHeight('--foot');
const noteNews = noteHeight('--news');

/**
 * The line below a list: how a person edits a cell or, while rows are selected, what can be done with them. On a desktop it is
 * always there, so that no row moves and none is covered when the first one is selected.
 */
export function ListFoot({ children }: { children: ReactNode }) {
  return (
    <div className="list-foot screen-only" ref={noteFoot}>
      {children}
    </div>
  );
}

/** The actions on the selected rows, in the line below the list. */
export function SelectionBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="selection-bar" role="group" ref={watchBar} aria-label={label}>
      <strong role="status">{label}</strong>
      {children}
    </div>
  );
}

/**
 * Says below a list that others have changed it: there it moves and covers no row. The rows keep their places until the person asks
 * for the new list. The text is empty when nothing has changed.
 */
export function ListNews({ text, onShow }: { text: string; onShow: () => void }) {
  return (
    <div role="status" ref={noteNews}>
      {text !== '' && (
        <p className="list-news" ref={keepFocus}>
          {text}
          <Button look="bare" onClick={onShow}>
            {texts.show}
          </Button>
        </p>
      )}
    </div>
  );
}

/** When the bar appears on a phone, it shortens the list. When it goes, its focus moves to the list. */
function watchBar(bar: HTMLElement | null): () => void {
  keepRowInView();
  return keepFocus(bar);
}
