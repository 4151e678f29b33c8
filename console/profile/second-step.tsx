import { useState } from 'react';
import { api } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { ConfirmDialog } from '../parts/dialog/confirm-dialog.tsx';
import { useTrigger } from '../parts/keyboard/focus.ts';
import { showToast } from '../parts/message/toast.tsx';
import { Card } from '../parts/page/card.tsx';
import { lazyPart, PartError } from '../parts/page/lazy-part.tsx';
import { Skeleton } from '../parts/page/states.tsx';
import { useReadAgain, useSession } from '../session/session.tsx';
import { texts } from './texts.ts';

/** Loaded on demand, because it includes the library for QR codes. */
const SetUp = lazyPart(() => import('../second-step/index.ts'), PartError, <Skeleton />);

/** The setting of the second step: it turns the step on, with its setup, or off. */
export function SecondStep() {
  const { me } = useSession();
  const readAgain = useReadAgain();
  const [doing, setDoing] = useState<'set-up' | 'turn-off'>();
  const trigger = useTrigger(doing === 'set-up');
  const isOn = me.user?.secondStep === true;

  async function turnOff(): Promise<void> {
    await api.DELETE('/me/second-step', {});
    await readAgain();
    showToast({ text: texts.offDone });
  }

  return (
    <Card title={texts.secondStep}>
      <p className="soft">{texts.secondStepExplain}</p>
      {doing === 'set-up' ? (
        <SetUp
          onCancel={() => setDoing(undefined)}
          onDone={() => {
            setDoing(undefined);
            void readAgain();
          }}
        />
      ) : (
        <div className="profile-choices">
          <p>{isOn ? texts.secondStepOn : texts.secondStepOff}</p>
          <Button ref={trigger} onClick={() => setDoing(isOn ? 'turn-off' : 'set-up')}>
            {isOn ? texts.off : texts.turnOn}
          </Button>
        </div>
      )}
      {doing === 'turn-off' && (
        <ConfirmDialog
          title={texts.offQuestion}
          action={texts.off}
          onAction={turnOff}
          onClose={() => setDoing(undefined)}
        >
          {texts.offExplain}
        </ConfirmDialog>
      )}
    </Card>
  );
}
