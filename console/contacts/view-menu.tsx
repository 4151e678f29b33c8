import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { writeColumnLayout } from '../parts/grid/index.ts';
import { MenuButton } from '../parts/menu.tsx';
import { describeProblem } from '../parts/problem-texts.ts';
import { showToast } from '../parts/toast.tsx';
import { useSession } from '../session/session.tsx';
import { viewTexts as texts } from './texts.ts';
import { addressOfView, type ListViews } from './use-views.ts';
import { useViewActions } from './view-actions.ts';
import type { ViewQuestion } from './view-dialog.tsx';

const ViewDialog = lazy(() => import('./view-dialog.tsx'));

/** The menu of actions on the open view. */
export function ViewMenu({ list, views }: ListViews) {
  const { can, userId } = useSession();
  const [, navigate] = useLocation();
  const [question, setQuestion] = useState<ViewQuestion>();
  const actions = useViewActions(list, views);
  const { view, isChanged, columnsKey } = views;
  const canShare = can('settings:write');
  const isMine = view !== undefined && (view.shared ? canShare : view.owner.id === userId);
  const choices = [
    ...(isMine && isChanged ? [{ id: 'save', label: texts.save }] : []),
    ...(isChanged ? [{ id: 'reset', label: texts.reset }] : []),
    { id: 'saveAs', label: texts.saveAs },
    ...(isMine ? [{ id: 'rename', label: texts.rename }] : []),
    ...(isMine && canShare
      ? [{ id: 'share', label: view.shared ? texts.unshare : texts.share }]
      : []),
    ...(isMine ? [{ id: 'remove', label: texts.remove, isDanger: true }] : []),
  ];
  const say = (action: Promise<void>): void =>
    void action.then(
      () => showToast({ text: texts.saved(view?.name ?? '') }),
      (error: unknown) => showToast({ text: describeProblem(error), look: 'error' }),
    );
  function choose(id: string): void {
    if (id === 'saveAs' || id === 'rename' || id === 'remove') setQuestion(id);
    else if (view === undefined) return;
    else if (id === 'save') say(actions.save(view));
    else if (id === 'share') say(actions.share(view, !view.shared));
    else {
      writeColumnLayout(columnsKey, null);
      navigate(addressOfView(view));
    }
  }
  return (
    <>
      <MenuButton look="bare" label={texts.menu} choices={choices} onChoose={choose} />
      {question !== undefined && (
        <Suspense>
          <ViewDialog
            question={question}
            view={view}
            actions={actions}
            canShare={canShare}
            onClose={() => setQuestion(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
