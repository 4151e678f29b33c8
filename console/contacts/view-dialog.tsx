import { useLocation } from 'wouter';
import type { View } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField, Field, FormButtons } from '../parts/field.tsx';
import { Form, readText } from '../parts/form.tsx';
import { texts as shared } from '../parts/texts.ts';
import { showToast } from '../parts/toast.tsx';
import { viewTexts as texts } from './texts.ts';
import { addressOfView } from './use-views.ts';
import type { useViewActions } from './view-actions.ts';

export type ViewQuestion = 'saveAs' | 'rename' | 'remove';

interface DialogProps {
  question: ViewQuestion;
  view: View | undefined;
  actions: ReturnType<typeof useViewActions>;
  canShare: boolean;
  onClose: () => void;
}

/** Asks for the name of a view, or whether to delete it. */
export default function ViewDialog({ question, view, actions, canShare, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  const titles = {
    saveAs: texts.saveAs,
    rename: texts.rename,
    remove: texts.removeQuestion(view?.name ?? ''),
  };
  async function submit(values: FormData): Promise<void> {
    const name = readText(values, 'name') ?? '';
    if (question === 'saveAs') {
      const made = await actions.saveAs(name, values.get('shared') !== null);
      navigate(addressOfView(made));
    } else if (view !== undefined && question === 'rename') await actions.rename(view, name);
    else if (view !== undefined) {
      await actions.remove(view);
      navigate(addressOfView(undefined));
    }
    onClose();
    showToast({
      text: question === 'remove' ? texts.removed(view?.name ?? '') : texts.saved(name),
    });
  }
  return (
    <Dialog title={titles[question]} onClose={onClose}>
      <Form onSubmit={submit}>
        {question === 'remove' ? (
          <p>{view?.shared === true ? texts.removeShared : texts.removeOwn}</p>
        ) : (
          <Field
            label={texts.name}
            name="name"
            required
            maxLength={100}
            defaultValue={question === 'rename' ? view?.name : ''}
            autoFocus
          />
        )}
        {question === 'saveAs' && canShare && (
          <CheckField label={texts.share} name="shared" hint={texts.sharedHint} />
        )}
        <FormButtons
          action={question === 'remove' ? texts.removeAction : texts.saveAction}
          look={question === 'remove' ? 'danger' : 'filled'}
          onCancel={onClose}
          cancel={shared.cancel}
        />
      </Form>
    </Dialog>
  );
}
