import { useState } from 'react';
import { useLocation } from 'wouter';
import { useQueryClient } from '@tanstack/react-query';
import { api, type ContactFile } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { Form } from '../parts/form/form.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { FILES_KEY } from './files.ts';
import { texts } from './texts.ts';

/** A button that deletes a file after a confirmation. */
export function RemoveFile({ file: { id, name } }: { file: ContactFile }) {
  const [isAsking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const queries = useQueryClient();

  async function remove(): Promise<void> {
    await api.DELETE('/contact-files/{fileId}', { params: { path: { fileId: id } } });
    await queries.invalidateQueries({ queryKey: FILES_KEY });
    showToast({ text: texts.remove.done(name) });
    navigate('/import');
  }

  return (
    <>
      <Button look="bare" onClick={() => setAsking(true)}>
        {texts.columns.remove}
      </Button>
      {isAsking && (
        <Dialog title={texts.remove.title} onClose={() => setAsking(false)}>
          <Form onSubmit={remove}>
            <p>{texts.remove.about}</p>
            <FormButtons
              action={texts.remove.action}
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
