import { useRef, useState } from 'react';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { Field, FormButtons, SelectField } from '../parts/form/field.tsx';
import { Form, readText } from '../parts/form/form.tsx';
import { useUsers } from '../parts/domain/names.ts';
import { STAGES, STAGES_WITH_UNIT } from '../parts/domain/status.tsx';
import { FormDraft } from '../parts/draft/form-draft.tsx';
import { closeToast, showToast } from '../parts/message/toast-store.ts';
import { texts as shared } from '../parts/text/texts.ts';
import type { Contact } from '../api.ts';
import type { Selection } from '../parts/grid/index.ts';
import type { BulkAction } from './bulk-actions.ts';
import { runBulk, undoBulk, type BulkSteps } from './bulk-run.ts';
import { useSession } from '../session/session.tsx';
import { undoStore } from './bulk-undo.ts';
import { Stopped } from './bulk-walk.ts';
import { NONE, useTags } from './filter-values.ts';
import type { FilterQuery } from './query.ts';
import { bulkTexts as texts } from './dialog-texts.ts';
import { texts as pageTexts } from './texts.ts';

export type BulkQuestion = BulkAction['kind'] | 'undo';

const FIELDS = ['value'];

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

interface Running {
  text: string;
  value: number | undefined;
}

/** Asks once, with the number of contacts, then shows the progress of the change. */
export default function BulkDialog({
  question,
  count,
  selection,
  query,
  onUndo,
  onClose,
  onDone,
}: DialogProps) {
  const { userId } = useSession();
  const [running, setRunning] = useState<Running>();
  const [isStopping, setStopping] = useState(false);
  const stopRef = useRef(false);

  const steps: BulkSteps = {
    userId,
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

  async function run(job: () => Promise<void>): Promise<void> {
    setRunning({ text: question === 'undo' ? texts.undoing : texts.reading(0), value: undefined });
    try {
      await job();
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

  const title = question === 'undo' ? texts.undo(count) : texts.questions[question](count);
  return (
    <Dialog title={title} isFirm={running !== undefined} onClose={onClose}>
      <div hidden={running !== undefined}>
        <Form
          onSubmit={async (values) => {
            const action = question === 'undo' ? undefined : readAction(question, values);
            await run(() => (action === undefined ? undo() : change(action)));
          }}
        >
          <Question question={question} />
          <FormButtons
            action={nameAction(question, count)}
            look={question === 'archive' ? 'danger' : 'filled'}
            onCancel={onClose}
            cancel={shared.cancel}
          />
        </Form>
      </div>
      {running !== undefined && (
        <>
          <p role="status">{running.text}</p>
          <progress className="contacts-progress" aria-label={title} value={running.value} />
          <div className="form-buttons">
            <Button
              autoFocus
              isBusy={isStopping}
              onClick={() => {
                stopRef.current = true;
                setStopping(true);
              }}
            >
              {isStopping ? texts.stopping : texts.stop}
            </Button>
          </div>
        </>
      )}
    </Dialog>
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

function readAction(kind: BulkAction['kind'], values: FormData): BulkAction {
  const value = readText(values, 'value') ?? '';
  switch (kind) {
    case 'stage':
      return { kind, stage: value as NonNullable<Contact['stage']> };
    case 'assign':
      return { kind, userId: value === NONE ? null : value };
    case 'addTag':
      return { kind, label: value };
    case 'removeTag': {
      const [tagId = '', ...label] = value.split(' ');
      return { kind, tagId, label: label.join(' ') };
    }
    case 'archive':
    default:
      return { kind };
  }
}

function Question({ question }: { question: BulkQuestion }) {
  const users = useUsers();
  const tags = useTags();
  switch (question) {
    case 'undo':
      return null;
    case 'archive':
      return <p>{texts.archiveHint}</p>;
    case 'stage':
      return <StageField />;
    case 'assign':
      return (
        <SelectField label={texts.assignTo} name="value" required>
          <option value="">{texts.choosePerson}</option>
          <option value={NONE}>{pageTexts.nobody}</option>
          {users
            .filter(({ active }) => active)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </SelectField>
      );
    case 'addTag':
      return (
        <>
          <FormDraft subject="bulk-contacts-tag" fields={FIELDS} />
          <Field
            label={texts.tag}
            name="value"
            hint={texts.tagHint}
            list="bulk-tags"
            required
            maxLength={100}
            autoFocus
          />
          <datalist id="bulk-tags">
            {tags.map(({ id, label }) => (
              <option key={id} value={label} />
            ))}
          </datalist>
        </>
      );
    case 'removeTag':
    default:
      return (
        <SelectField label={texts.tag} name="value" required>
          {tags.map(({ id, label }) => (
            <option key={id} value={`${id} ${label}`}>
              {label}
            </option>
          ))}
        </SelectField>
      );
  }
}

/** The field of the new stage. At a stage with a unit, it says that the change of several contacts links none. */
function StageField() {
  const [stage, setStage] = useState('');
  return (
    <SelectField
      label={texts.newStage}
      name="value"
      required
      hint={STAGES_WITH_UNIT.includes(stage) ? texts.stageHint : undefined}
      onChange={({ target }) => setStage(target.value)}
    >
      <option value="">{texts.chooseStage}</option>
      {STAGES.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </SelectField>
  );
}
