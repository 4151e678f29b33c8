import { useQueryClient } from '@tanstack/react-query';
import type { View } from '../../api.ts';
import { useSession } from '../../session/session.tsx';
import { showToast } from '../message/toast.tsx';
import { MenuList } from '../popup/popup.tsx';
import { describeProblem } from '../text/problem-texts.ts';
import type { SavedViews } from './saved-views.ts';
import { viewTexts as texts } from './texts.ts';
import { makeViewActions } from './view-actions.ts';
import type { ViewQuestion } from './view-dialog.tsx';

interface ViewChoicesProps {
  saved: SavedViews;
  name: string;
  hasViews: boolean;
  onAsk: (question: ViewQuestion) => void;
  close: () => void;
}

/** The choices of the open menu of views. */
export default function ViewChoices({ saved, name, hasViews, onAsk, close }: ViewChoicesProps) {
  const { can, userId } = useSession();
  const actions = makeViewActions(useQueryClient(), saved);
  const { views, view, isChanged, open } = saved;
  const canShare = can('settings:write');
  const isMine = view !== undefined && (view.shared ? canShare : view.owner.id === userId);
  const choices = [
    ...(hasViews ? views.map((each) => ({ id: each.id, label: nameView(each) })) : []),
    ...(isMine && isChanged ? [{ id: 'save', label: texts.save }] : []),
    ...(isChanged ? [{ id: 'reset', label: texts.reset }] : []),
    { id: 'saveAs', label: texts.saveAs },
    ...(isMine ? [{ id: 'rename', label: texts.rename }] : []),
    ...(isMine && canShare
      ? [{ id: 'share', label: view.shared ? texts.unshare : texts.share }]
      : []),
    ...(isMine ? [{ id: 'remove', label: texts.remove, isDanger: true }] : []),
  ];
  const say = (action: Promise<View>): void =>
    void action.then(
      (changed) => showToast({ text: texts.saved(changed.name) }),
      (error: unknown) => showToast({ text: describeProblem(error), look: 'error' }),
    );
  async function save(target: View): Promise<View> {
    const { href } = location;
    const saved = await actions.save(target);
    // The person may be on another page by now.
    if (location.href === href) open(saved, { replace: true });
    return saved;
  }
  function choose(id: string): void {
    close();
    const target = views.find((each) => each.id === id);
    if (target !== undefined) open(target);
    else if (id === 'saveAs' || id === 'rename' || id === 'remove') onAsk(id);
    else if (view === undefined) return;
    else if (id === 'save') say(save(view));
    else if (id === 'share') say(actions.share(view, !view.shared));
    else open(view);
  }
  return (
    <MenuList
      name={name}
      choices={choices}
      onChoose={choose}
      {...(hasViews && view && { chosen: view.id })}
    />
  );
}

const nameView = ({ name, shared }: View): string => (shared ? texts.sharedName(name) : name);
