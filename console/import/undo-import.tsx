import { useState } from 'react';
import type { ContactFile } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { action, useShownFile } from './files.ts';
import { texts } from './texts.ts';

/** A button that undoes an import. A dialog first says what is deleted and what stays. */
export function UndoImport({ file: { id, run } }: { file: ContactFile }) {
  const [isAsking, setAsking] = useState(false);
  const showFile = useShownFile();
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.undo.action}</Button>
      {isAsking && (
        <Dialog title={texts.undo.title} onClose={() => setAsking(false)}>
          <Form
            onSubmit={async () => {
              showFile(await action('undo', id));
              setAsking(false);
            }}
          >
            <p>
              {texts.undo.about(run?.created ?? 0)}
              {run !== null && run.refused > 0 && ` ${texts.undo.aboutRetried}`}
            </p>
            <div>
              <h3>{texts.undo.stays}</h3>
              <ul className="import-stays">
                {texts.undo.staysWhat.map((what) => (
                  <li key={what}>{what}</li>
                ))}
              </ul>
            </div>
            <FormButtons
              action={texts.undo.action}
              look="danger"
              cancel={shared.cancel}
              onCancel={() => setAsking(false)}
            />
          </Form>
        </Dialog>
      )}
    </>
  );
}
