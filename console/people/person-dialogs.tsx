import { useQueryClient } from '@tanstack/react-query';
import { api, type User } from '../api.ts';
import { ConfirmDialog } from '../parts/dialog/confirm-dialog.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { CheckField, FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { keepOpenFor, showOnce, unlessSending } from '../parts/dialog/once.tsx';
import { Deactivate } from './deactivate.tsx';
import { Edit } from './edit.tsx';
import { LinkOnce } from './link-once.tsx';
import { texts } from './texts.ts';

export interface PersonAction {
  kind: 'edit' | 'invite' | 'reset' | 'deactivate' | 'activate';
  person: User;
}

/** The dialog of an action on a person. */
export function PersonDialog({ action, onClose }: { action: PersonAction; onClose: () => void }) {
  const { kind, person } = action;
  if (kind === 'edit') return <Edit person={person} onClose={onClose} />;
  if (kind === 'deactivate') return <Deactivate person={person} onClose={onClose} />;
  if (kind === 'reset') return <Reset person={person} onClose={onClose} />;
  if (kind === 'invite') return <InviteAgain person={person} onClose={onClose} />;
  return <Activate person={person} onClose={onClose} />;
}

interface PersonProps {
  person: User;
  onClose: () => void;
}

function InviteAgain({ person: { id, name }, onClose }: PersonProps) {
  const queries = useQueryClient();
  const title = texts.invitationFor(name);
  const close = unlessSending(onClose);
  const invite = async (): Promise<void> => {
    const { data } = await keepOpenFor(
      api.POST('/users/{userId}/invite', {
        params: { path: { userId: id } },
        body: {},
      }),
    );
    onClose();
    showOnce((closeOnce) => <LinkOnce title={title} name={name} link={data} onClose={closeOnce} />);
    await queries.invalidateQueries({ queryKey: ['user'] });
  };
  return (
    <Dialog title={title} onClose={close}>
      <Form label={title} onSubmit={invite}>
        <p>{texts.inviteAgainExplain}</p>
        <FormButtons action={texts.inviteLink} cancel={shared.cancel} onCancel={close} />
      </Form>
    </Dialog>
  );
}

function Reset({ person: { id, name, secondStep }, onClose }: PersonProps) {
  const title = texts.resetFor(name);
  const close = unlessSending(onClose);
  const reset = async (values: FormData): Promise<void> => {
    const { data } = await keepOpenFor(
      api.POST('/users/{userId}/reset', {
        params: { path: { userId: id } },
        body: { removeSecondStep: values.has('removeSecondStep') },
      }),
    );
    onClose();
    showOnce((closeOnce) => <LinkOnce title={title} name={name} link={data} onClose={closeOnce} />);
  };
  return (
    <Dialog title={title} onClose={close}>
      <Form label={title} onSubmit={reset}>
        <p>{texts.resetExplain}</p>
        {secondStep && (
          <CheckField
            name="removeSecondStep"
            label={texts.removeSecondStep}
            hint={texts.removeSecondStepHint}
          />
        )}
        <FormButtons action={texts.resetAction} cancel={shared.cancel} onCancel={close} />
      </Form>
    </Dialog>
  );
}

function Activate({ person: { id, name, signedInAt }, onClose }: PersonProps) {
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={texts.activateQuestion(name)}
      action={texts.activate}
      look="filled"
      onClose={onClose}
      onAction={async () => {
        await api.POST('/users/{userId}/activate', {
          params: { path: { userId: id } },
          body: {},
        });
        showToast({ text: texts.activated(name) });
        await queries.invalidateQueries({ queryKey: ['user'] });
      }}
    >
      {signedInAt === null ? texts.activateUninvited : texts.activateExplain}
    </ConfirmDialog>
  );
}
