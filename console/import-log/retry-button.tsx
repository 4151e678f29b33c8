import { useState } from 'react';
import { Button } from '../parts/button/button.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { useSettle } from './settle.ts';
import { texts } from './texts.ts';

/** Imports a refused lead again, as it was received. */
export function RetryButton({ id, onDone }: { id: string; onDone: () => void }) {
  const { retry } = useSettle(id);
  const [isBusy, setBusy] = useState(false);

  async function action(): Promise<void> {
    setBusy(true);
    try {
      if (await retry()) onDone();
      else showToast({ text: texts.retry.again, look: 'error' });
    } catch (error) {
      showToast({ text: describeProblem(error), look: 'error' });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button isBusy={isBusy} onClick={() => void action()}>
      {texts.action.asReceived}
    </Button>
  );
}
