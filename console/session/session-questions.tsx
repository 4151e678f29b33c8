import { lazy, Suspense, useSyncExternalStore } from 'react';
import { questions } from './questions.ts';

const SessionDialogs = lazy(() => import('./session-dialogs.tsx'));

/** Shows the dialog for which a refused request waits. It loads the dialog's code only then. */
export function SessionQuestions({ slug }: { slug: string }) {
  const asked = useSyncExternalStore(questions.subscribe, questions.read);
  if (asked === undefined) return null;
  return (
    <Suspense>
      <SessionDialogs slug={slug} />
    </Suspense>
  );
}
