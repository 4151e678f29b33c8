import { Button } from '../parts/button/button.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { lazyPart, PartError } from '../parts/page/lazy-part.tsx';
import { Skeleton } from '../parts/page/states.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { SessionPage } from './session-page.tsx';
import { useReadAgain, useSignOut } from './session.tsx';
import { questionTexts } from './question-texts.ts';
import { texts } from './texts.ts';

/** Loaded on demand, because it includes the library for QR codes. */
const SetUp = lazyPart(() => import('../second-step/index.ts'), PartError, <Skeleton />);

/** The only page that a person sees while the account demands a second step and theirs is off. */
export default function SecondStepPage({ onDone }: { onDone: () => void }) {
  const readAgain = useReadAgain();
  const signOut = useSignOut();
  return (
    <SessionPage title={questionTexts.setUpTitle}>
      <p className="soft">{questionTexts.setUpExplain}</p>
      <SetUp
        onDone={() => {
          onDone();
          void readAgain();
        }}
      />
      <div>
        <Button
          look="bare"
          onClick={() =>
            void signOut().catch((error: unknown) =>
              showToast({ text: describeProblem(error), look: 'error' }),
            )
          }
        >
          {texts.signOut}
        </Button>
      </div>
    </SessionPage>
  );
}
