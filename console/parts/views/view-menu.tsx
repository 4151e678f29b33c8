import { useState, type ReactNode } from 'react';
import { Icon } from '../button/icon.tsx';
import { lazyDialog, lazyPart } from '../page/lazy-part.tsx';
import { Popup } from '../popup/popup.tsx';
import type { SavedViews } from './saved-views.ts';
import type { ViewQuestion } from './view-dialog.tsx';

const ViewChoices = lazyPart(() => import('./view-choices.tsx'));
const ViewDialog = lazyDialog(() => import('./view-dialog.tsx'));

interface ViewMenuProps {
  saved: SavedViews;
  label: ReactNode;
  /** The name of the menu for screen readers. */
  name: string;
  look: 'plain' | 'bare';
  /** Whether the menu has the views themselves, too. */
  hasViews?: boolean;
}

/** The menu of the saved views of a list, and of the actions on the open one. */
export function ViewMenu({ saved, label, name, look, hasViews = false }: ViewMenuProps) {
  const [question, ask] = useState<ViewQuestion>();
  return (
    <>
      <Popup
        className={`button button-${look}`}
        name={name}
        title={name}
        isMenu
        button={
          <>
            {label}
            <Icon name="down" />
          </>
        }
      >
        {(close) => (
          <ViewChoices saved={saved} name={name} hasViews={hasViews} onAsk={ask} close={close} />
        )}
      </Popup>
      {question !== undefined && (
        <ViewDialog saved={saved} question={question} onClose={() => ask(undefined)} />
      )}
    </>
  );
}
