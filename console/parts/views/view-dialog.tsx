import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../../session/session.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { CheckField, Field, FormButtons } from '../form/field.tsx';
import { Form, readText } from '../form/form.tsx';
import { FormDraft, useSeen } from '../draft/form-draft.tsx';
import { texts as shared } from '../text/texts.ts';
import { showToast } from '../message/toast.tsx';
import type { SavedViews } from './saved-views.ts';
import { viewTexts as texts } from './texts.ts';
import { makeViewActions } from './view-actions.ts';

export type ViewQuestion = 'saveAs' | 'rename' | 'remove';

const FIELDS = ['name', 'shared'];

interface DialogProps {
  saved: SavedViews;
  question: ViewQuestion;
  onClose: () => void;
}

/** Asks for the name of a view, or whether to delete it. */
export default function ViewDialog({ saved, question, onClose }: DialogProps) {
  const { can } = useSession();
  const actions = makeViewActions(useQueryClient(), saved);
  const { resource, open } = saved;
  const isRemoval = question === 'remove';
  const isRename = question === 'rename';
  const subject = isRename ? `view:${saved.view?.id}` : `${question}-view:${resource}`;
  const view = useSeen(subject, saved.view);
  const titles = {
    saveAs: texts.saveAs,
    rename: texts.rename,
    remove: texts.removeQuestion(view?.name ?? ''),
  };

  async function submit(values: FormData): Promise<void> {
    const name = readText(values, 'name') ?? '';
    if (question === 'saveAs') open(await actions.saveAs(name, values.has('shared')));
    else if (view !== undefined && isRename) await actions.rename(view, name);
    else if (view !== undefined) {
      await actions.remove(view);
      open(undefined);
    }
    onClose();
    showToast({ text: isRemoval ? texts.removed(view?.name ?? '') : texts.saved(name) });
  }
  return (
    <Dialog title={titles[question]} onClose={onClose}>
      <Form onSubmit={submit}>
        {!isRemoval && (
          <FormDraft subject={subject} fields={FIELDS} seen={isRename ? view : undefined} />
        )}
        {isRemoval ? (
          <p>
            {view?.shared === true && texts.removeShared} {texts.stay[resource]}
          </p>
        ) : (
          <Field
            label={texts.name}
            name="name"
            required
            maxLength={100}
            defaultValue={isRename ? view?.name : ''}
            hint={question === 'saveAs' ? texts.hint : undefined}
            autoFocus
          />
        )}
        {question === 'saveAs' && can('settings:write') && (
          <CheckField label={texts.share} name="shared" hint={texts.sharedHint} />
        )}
        <FormButtons
          action={isRemoval ? texts.removeAction : texts.saveAction}
          look={isRemoval ? 'danger' : 'filled'}
          onCancel={onClose}
          cancel={shared.cancel}
        />
      </Form>
    </Dialog>
  );
}
