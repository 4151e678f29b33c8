import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import type { Selection } from '../parts/grid/index.ts';
import { Notice } from '../parts/message/notice.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { ProgressBar } from '../parts/page/progress-bar.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { BULK_MAX_COUNT, runBulk } from './bulk.ts';
import type { LogFilter } from './data.ts';
import { texts } from './texts.ts';

export type BulkAction = 'retry' | 'dismiss';

/** The dialog that retries or dismisses many imports: it asks once, then shows the progress. */
export function BulkDialog({
  action,
  selection,
  filter,
  total,
  onClose,
  onDone,
}: {
  action: BulkAction;
  selection: Selection;
  filter: LogFilter;
  total: number;
  onClose: () => void;
  onDone: () => void;
}) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<[done: number, total: number]>();
  const stopping = useRef(new AbortController());
  const isTooMany = total > BULK_MAX_COUNT || (total === BULK_MAX_COUNT && selection.all);

  async function run(): Promise<void> {
    setProgress([0, total]);
    const { accepted, refused, dismissed } = await runBulk(action, selection, filter, {
      signal: stopping.current.signal,
      onProgress: (...next) => setProgress(next),
    });
    void queries.invalidateQueries({ queryKey: ['import'] });
    showToast({
      text:
        action === 'retry' ? texts.retry.done(accepted, refused) : texts.dismiss.done(dismissed),
    });
    onDone();
  }

  return (
    <Dialog title={texts[action].title(total)} isFirm={progress !== undefined} onClose={onClose}>
      {isTooMany ? (
        <Notice look="warning">{texts.bulk.tooMany}</Notice>
      ) : (
        <Form onSubmit={() => run().finally(() => setProgress(undefined))}>
          <p>{texts[action].about}</p>
          {progress === undefined ? (
            <FormButtons action={texts.action[action]} cancel={shared.cancel} onCancel={onClose} />
          ) : (
            <>
              <ProgressBar
                label={texts.action[action]}
                text={texts.bulk.progress(...progress)}
                done={progress[0]}
                total={progress[1]}
              />
              <div className="form-buttons">
                <Button autoFocus onClick={() => stopping.current.abort()}>
                  {texts.bulk.stop}
                </Button>
              </div>
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
}
