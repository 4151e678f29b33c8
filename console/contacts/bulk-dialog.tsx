import { useRef, useState } from 'react';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { closeToast, showToast } from '../parts/message/toast-store.ts';
import { texts as shared } from '../parts/text/texts.ts';
import type { Selection } from '../parts/grid/index.ts';
import type { BulkAction } from './bulk-actions.ts';
import { Question, readAction, type BulkQuestion } from './bulk-question.tsx';
import { runBulk, undoBulk, type BulkSteps } from './bulk-run.ts';
import { useSession } from '../session/session.tsx';
import { undoStore, type BulkUndo } from './bulk-undo.ts';
import { Stopped } from './bulk-walk.ts';
import type { FilterQuery } from './query.ts';
import { bulkTexts as texts } from './dialog-texts.ts';

interface DialogProps {
  question: BulkQuestion;
  count: number;
  selection: Selection;
  query: FilterQuery & { sort: string };
  onUndo: () => void;
  /** Called when the dialog closes without a change. */
  onClose: () => void;
  /** Called at the end of a change, also of one that was stopped. */
  onDone: () => void;
}

/** Asks once, with the number of contacts, then shows the progress of the change. */
export default function BulkDialog({ question, count, ...run }: DialogProps) {
  const { running, isStopping, start, stop } = useBulkRun(run);
  const title = question === 'undo' ? texts.undo(count) : texts.questions[question](count);
  return (
    <Dialog title={title} isFirm={running !== undefined} onClose={run.onClose}>
      <div hidden={running !== undefined}>
        <Form
          onSubmit={(values) => start(question === 'undo' ? 'undo' : readAction(question, values))}
        >
          <Question question={question} />
          <FormButtons
            action={nameAction(question, count)}
            look={question === 'archive' ? 'danger' : 'filled'}
            onCancel={run.onClose}
            cancel={shared.cancel}
          />
        </Form>
      </div>
      {running !== undefined && (
        <Progress label={title} {...running} isStopping={isStopping} onStop={stop} />
      )}
    </Dialog>
  );
}

interface Running {
  text: string;
  /** The part that is done, from 0 to 1; undefined while the contacts are read. */
  value: number | undefined;
}

/** Starts and stops the change, reports its progress, and shows a message at its end. */
function useBulkRun({
  selection,
  query,
  onUndo,
  onClose,
  onDone,
}: Omit<DialogProps, 'question' | 'count'>) {
  const { userId } = useSession();
  const [running, setRunning] = useState<Running>();
  const [isStopping, setStopping] = useState(false);
  const stopRef = useRef(false);
  const earlier = useRef<BulkUndo>(undefined);

  const steps: BulkSteps = {
    userId,
    earlier,
    onRead: {
      report: (done) => {
        stopWhenAsked();
        setRunning({ text: texts.reading(done), value: undefined });
      },
    },
    onChange: (done, total) => {
      stopWhenAsked();
      setRunning({ text: texts.changing(done, total), value: done / total });
    },
  };
  function stopWhenAsked(): void {
    if (stopRef.current) throw new Stopped();
  }

  async function change(action: BulkAction): Promise<void> {
    const { changed, total, isStopped } = await runBulk(action, selection, query, steps);
    const text = isStopped ? texts.stopped(changed, total) : texts.done(changed);
    if (changed > 0) closeAfterUndo(showToast({ text, onUndo }));
    else showToast({ text: isStopped ? text : texts.nothingChanged });
  }

  async function undo(): Promise<void> {
    const bulk = undoStore.read(userId);
    if (bulk === undefined) return;
    const { undone, kept, isStopped } = await undoBulk(bulk, steps);
    const parts = [
      isStopped ? texts.undoStopped(undone, bulk.contacts.length - kept) : texts.undone(undone),
      ...(kept > 0 ? [texts.kept(kept)] : []),
    ];
    showToast({ text: `${parts.join('. ')}.` });
  }

  async function start(action: BulkAction | 'undo'): Promise<void> {
    setRunning({ text: action === 'undo' ? texts.undoing : texts.reading(0), value: undefined });
    try {
      await (action === 'undo' ? undo() : change(action));
    } catch (error) {
      if (error instanceof Stopped) {
        showToast({ text: texts.stoppedReading });
        return onClose();
      }
      // The form still has what was chosen, and says what went wrong.
      setRunning(undefined);
      throw error;
    }
    onDone();
  }

  function stop(): void {
    stopRef.current = true;
    setStopping(true);
  }

  return { running, isStopping, start, stop };
}

interface ProgressProps extends Running {
  label: string;
  isStopping: boolean;
  onStop: () => void;
}

function Progress({ label, text, value, isStopping, onStop }: ProgressProps) {
  return (
    <>
      <p role="status">{text}</p>
      <progress className="contacts-progress" aria-label={label} value={value} />
      <div className="form-buttons">
        <Button autoFocus isBusy={isStopping} onClick={onStop}>
          {isStopping ? texts.stopping : texts.stop}
        </Button>
      </div>
    </>
  );
}

/** Closes the message of a change once it cannot be undone any more: its Undo would do nothing, or undo a later change. */
function closeAfterUndo(toastId: number): void {
  const unsubscribe = undoStore.subscribe(() => {
    unsubscribe();
    closeToast(toastId);
  });
}

function nameAction(question: BulkQuestion, count: number): string {
  if (question === 'undo') return texts.undo(count);
  return question === 'archive' ? texts.archiveAction(count) : texts.action(count);
}
