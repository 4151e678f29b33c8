import { useSyncExternalStore } from 'react';
import { DialogError, lazyPart } from '../parts/page/lazy-part.tsx';
import { questions } from './questions.ts';

const SessionDialogs = lazyPart(() => import('./session-dialogs.tsx'), SessionError);

/** Shows the dialog for which a refused request waits. It loads the dialog's code only then. */
export function SessionQuestions({ slug }: { slug: string }) {
  const asked = useSyncExternalStore(questions.subscribe, questions.read);
  return asked !== undefined && <SessionDialogs slug={slug} />;
}

function SessionError() {
  return <DialogError onClose={() => questions.read()?.answer(false)} />;
}
