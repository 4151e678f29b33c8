import { lazy, Suspense, useSyncExternalStore } from 'react';
import { questions } from './questions.ts';

const SessionDialogs = lazy(() => import('./session-dialogs.tsx'));

/** Shows the dialog that a refused request waits for, and loads it then. */
export function SessionQuestions({ slug }: { slug: string }) {
  const asked = useSyncExternalStore(questions.subscribe, questions.read);
  if (asked === undefined) return null;
  return (
    <Suspense>
      <SessionDialogs slug={slug} />
    </Suspense>
  );
}
