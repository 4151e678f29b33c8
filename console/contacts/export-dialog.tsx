import { api } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormButtons, SelectField } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import type { Selection } from '../parts/grid/index.ts';
import { showToast } from '../parts/message/toast.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { ROOT } from '../root.ts';
import type { FilterQuery } from './query.ts';
import { exportTexts as texts } from './dialog-texts.ts';

interface DialogProps {
  totalCount: number;
  isTotalExact: boolean;
  query: FilterQuery & { sort: string };
  selection: Selection;
  onClose: () => void;
}

/** The address of the request has room for this many ids, also behind a proxy that allows 8 KiB. */
const SELECTED_MAX_COUNT = 150;

/** A time after which no contact changed: an export with this filter has no rows. */
const NEVER = '9999-01-01T00:00:00Z';

/** Says how many contacts the file has, and downloads it. The file has the selected contacts; all of the list when none or too many are. */
export default function ExportDialog(props: DialogProps) {
  const { totalCount, isTotalExact, query, selection, onClose } = props;
  const ids = !selection.all && selection.ids.size <= SELECTED_MAX_COUNT ? [...selection.ids] : [];
  const hasSelection = ids.length > 0;
  async function download(values: FormData): Promise<void> {
    // The browser would save even a refusal as the file. So first request an export without rows, which may ask for the password.
    const probe = { format: 'ndjson', updated_since: NEVER } as const;
    await api.GET('/exports/contacts', { params: { query: probe }, parseAs: 'text' });
    const format = values.get('format') === 'ndjson' ? 'ndjson' : 'csv';
    const selected = { contact: ids.join(), archived: 'any', sort: query.sort };
    const exported = new URLSearchParams({ ...(hasSelection ? selected : query), format });
    const link = document.createElement('a');
    link.href = `${ROOT}/api/v1/exports/contacts?${exported}`;
    link.download = '';
    link.click();
    onClose();
    showToast({ text: texts.started });
  }
  return (
    <Dialog
      title={hasSelection ? texts.title(ids.length, true) : texts.title(totalCount, isTotalExact)}
      onClose={onClose}
    >
      <Form onSubmit={download}>
        <p>{hasSelection ? texts.hintSelected : texts.hint}</p>
        <SelectField label={texts.format} name="format">
          <option value="csv">{texts.csv}</option>
          <option value="ndjson">{texts.ndjson}</option>
        </SelectField>
        <FormButtons action={texts.action} onCancel={onClose} cancel={shared.cancel} />
      </Form>
    </Dialog>
  );
}
