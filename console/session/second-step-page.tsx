import { lazy, Suspense } from 'react';
import { Button } from '../parts/button.tsx';
import { Skeleton } from '../parts/states.tsx';
import { SessionPage } from './session-page.tsx';
import { useReadAgain, useSignOut } from './session.tsx';
import { texts } from './texts.ts';

/** It brings the program for QR codes. */
const SetUp = lazy(() => import('../second-step/index.ts'));

/** The only page of a person whose account asks for a second step, until theirs is on. */
export default function SecondStepPage({ onDone }: { onDone: () => void }) {
  const readAgain = useReadAgain();
  const signOut = useSignOut();
  return (
    <SessionPage title={texts.setUpTitle}>
      <p className="session-note">{texts.setUpExplain}</p>
      <Suspense fallback={<Skeleton />}>
        <SetUp
          onDone={() => {
            onDone();
            void readAgain();
          }}
        />
      </Suspense>
      <div>
        <Button look="bare" onClick={() => void signOut()}>
          {texts.signOut}
        </Button>
      </div>
    </SessionPage>
  );
}
