import { useQueryClient } from '@tanstack/react-query';
import { api, ifMatch, type Tag } from '../api.ts';
import { ConfirmDialog } from '../parts/dialog/confirm-dialog.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { MergeTag } from './merge-tag.tsx';
import { RenameTag } from './rename-tag.tsx';
import { texts } from './texts.ts';

export interface TagAction {
  kind: 'rename' | 'merge' | 'delete';
  tag: Tag;
}

/** The dialog of an action on a tag. */
export function TagDialog({ action, onClose }: { action: TagAction; onClose: () => void }) {
  const { kind, tag } = action;
  if (kind === 'rename') return <RenameTag tag={tag} onClose={onClose} />;
  if (kind === 'merge') return <MergeTag tag={tag} onClose={onClose} />;
  return <DeleteTag tag={tag} onClose={onClose} />;
}

function DeleteTag({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const { id, label, contactCount, etag } = tag;
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title={texts.deleteQuestion(label)}
      action={texts.delete}
      onClose={onClose}
      onAction={async () => {
        await api.DELETE('/tags/{tagId}', {
          params: { path: { tagId: id } },
          headers: ifMatch(etag),
        });
        showToast({ text: texts.deleted(label) });
        await queries.invalidateQueries({ queryKey: ['tag'] });
      }}
    >
      {texts.deleteExplain(contactCount)}
    </ConfirmDialog>
  );
}
