import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type User } from '../api.ts';
import { ConfirmDialog } from '../parts/dialog/confirm-dialog.tsx';
import { useUsers } from '../parts/domain/names.ts';
import { SelectField } from '../parts/form/field.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { formatCount } from '../parts/text/format.ts';
import { texts } from './texts.ts';

async function countAssigned(userId: string) {
  const { data } = await api.GET('/contacts', {
    params: { query: { assignedTo: userId, archived: 'any', count: true, limit: 1 } },
  });
  return data.pagination;
}

/** The dialog that deactivates a person, and asks who gets their contacts. */
export function Deactivate({ person, onClose }: { person: User; onClose: () => void }) {
  const { id, name } = person;
  const queries = useQueryClient();
  const { data: assigned } = useQuery({
    queryKey: ['contact', 'assigned-count', id],
    queryFn: () => countAssigned(id),
  });
  const others = useUsers().filter((user) => user.active && user.id !== id);

  async function deactivate(values: FormData): Promise<void> {
    const reassignTo = values.get('reassignTo');
    await api.POST('/users/{userId}/deactivate', {
      params: { path: { userId: id } },
      body: { reassignTo: typeof reassignTo === 'string' && reassignTo !== '' ? reassignTo : null },
    });
    showToast({ text: texts.deactivated(name) });
    await queries.invalidateQueries({ queryKey: ['user'] });
  }

  return (
    <ConfirmDialog
      title={texts.deactivateQuestion(name)}
      action={texts.deactivate}
      onAction={deactivate}
      onClose={onClose}
    >
      <p>{texts.deactivateExplain}</p>
      <SelectField
        label={texts.giveTo}
        name="reassignTo"
        hint={assigned && describeAssigned(assigned, name)}
      >
        <option value="">{texts.nobody}</option>
        {others.map((user) => (
          <option key={user.id} value={user.id}>
            {user.name}
          </option>
        ))}
      </SelectField>
    </ConfirmDialog>
  );
}

interface Counted {
  totalCount?: number;
  totalCountIsExact?: boolean;
}

function describeAssigned({ totalCount = 0, totalCountIsExact }: Counted, name: string): string {
  if (totalCount === 0) return texts.assignedNone(name);
  const more = totalCountIsExact === false ? texts.moreThan : '';
  return texts.assigned(`${more}${formatCount(totalCount, texts.contact, texts.contacts)}`, name);
}
