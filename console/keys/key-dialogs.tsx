import { useQueryClient } from '@tanstack/react-query';
import { api, type Key } from '../api.ts';
import { ConfirmDialog } from '../parts/dialog/confirm-dialog.tsx';
import { RotateDialog } from '../parts/dialog/rotate-dialog.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { formatAgoInSentence } from '../parts/text/format.ts';
import { keepOpenFor, showOnce, unlessSending } from '../parts/dialog/once.tsx';
import { EditKey } from './edit-key.tsx';
import { KeyOnce } from './key-once.tsx';
import { texts } from './texts.ts';

export interface KeyAction {
  kind: 'edit' | 'rotate' | 'revoke';
  apiKey: Key;
}

/** The dialog of an action on a key. */
export function KeyDialog({ action, onClose }: { action: KeyAction; onClose: () => void }) {
  const { kind, apiKey } = action;
  if (kind === 'edit') return <EditKey apiKey={apiKey} onClose={onClose} />;
  if (kind === 'rotate') return <Rotate apiKey={apiKey} onClose={onClose} />;
  return <Revoke apiKey={apiKey} onClose={onClose} />;
}

interface KeyProps {
  apiKey: Key;
  onClose: () => void;
}

function Rotate({ apiKey: { id, name }, onClose }: KeyProps) {
  const queries = useQueryClient();
  const rotate = async (overlapSeconds: number): Promise<void> => {
    const { data } = await keepOpenFor(
      api.POST('/keys/{keyId}/rotate', {
        params: { path: { keyId: id } },
        body: { overlapSeconds },
        // Never retry: a second attempt would make the key text of the first one invalid.
        retries: 0,
      }),
    );
    onClose();
    showOnce((close) => <KeyOnce made={data} onClose={close} />);
    await queries.invalidateQueries({ queryKey: ['key'] });
  };
  return (
    <RotateDialog
      title={texts.rotateQuestion(name)}
      explain={texts.rotateExplain}
      overlap={texts.overlap}
      action={texts.rotate}
      onRotate={rotate}
      onClose={unlessSending(onClose)}
    />
  );
}

function Revoke({ apiKey: { id, name, lastUsedAt }, onClose }: KeyProps) {
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={texts.revokeQuestion(name)}
      action={texts.revoke}
      onClose={onClose}
      onAction={async () => {
        await api.POST('/keys/{keyId}/revoke', { params: { path: { keyId: id } }, body: {} });
        showToast({ text: texts.revoked(name) });
        await queries.invalidateQueries({ queryKey: ['key'] });
      }}
    >
      <p>{texts.revokeExplain}</p>
      <p>
        {texts.lastUsed}: {lastUsedAt === null ? texts.never : formatAgoInSentence(lastUsedAt)}
      </p>
    </ConfirmDialog>
  );
}
