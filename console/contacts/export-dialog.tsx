import { api } from '../api.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormButtons, SelectField } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { ROOT } from '../root.ts';
import type { FilterQuery } from './query.ts';
import { exportTexts as texts } from './dialog-texts.ts';

interface DialogProps {
  totalCount: number;
  isTotalExact: boolean;
  query: FilterQuery & { sort: string };
  onClose: () => void;
}

/** A time after which no contact changed: an export with this filter has no rows. */
const NEVER = '9999-01-01T00:00:00Z';

/** Says how many contacts the file has, and downloads it. */
export default function ExportDialog({ totalCount, isTotalExact, query, onClose }: DialogProps) {
  async function download(values: FormData): Promise<void> {
    // The browser would save even a refusal as the file. So first request an export without rows, which may ask for the password.
    const probe = { format: 'ndjson', updated_since: NEVER } as const;
    await api.GET('/exports/contacts', { params: { query: probe }, parseAs: 'text' });
    const format = values.get('format') === 'ndjson' ? 'ndjson' : 'csv';
    const link = document.createElement('a');
    link.href = `${ROOT}/api/v1/exports/contacts?${new URLSearchParams({ ...query, format })}`;
    link.download = '';
    link.click();
    onClose();
    showToast({ text: texts.started });
  }
  return (
    <Dialog title={texts.title(totalCount, isTotalExact)} onClose={onClose}>
      <Form onSubmit={download}>
        <p>{texts.hint}</p>
        <SelectField label={texts.format} name="format">
          <option value="csv">{texts.csv}</option>
          <option value="ndjson">{texts.ndjson}</option>
        </SelectField>
        <FormButtons action={texts.action} onCancel={onClose} cancel={shared.cancel} />
      </Form>
    </Dialog>
  );
}
