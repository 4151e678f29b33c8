import { useState } from 'react';
import { api } from '../api.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { useDialogDraft } from '../parts/draft/dialog-draft.ts';
import { Field, FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { useShowProject } from '../stock/project-data.ts';
import { texts } from './texts.ts';

const SLUG = '[a-z0-9]+(-[a-z0-9]+)*';

/** Makes a slug from a name: "Rātā Heights" becomes "rata-heights". */
const toSlug = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The dialog that creates a project by its name, and opens it. */
export function AddProject({ onClose }: { onClose: () => void }) {
  const { navigate } = useAddress();
  const show = useShowProject();
  const [name, setName] = useDialogDraft('new-project');
  const [ownSlug, setOwnSlug] = useDialogDraft('new-project-address');
  const [isOwn, setOwn] = useState(ownSlug !== '');
  const slug = isOwn ? ownSlug : toSlug(name);

  async function create(): Promise<void> {
    const { data: project } = await api.POST('/stock/projects', {
      body: { name: name.trim(), slug },
    });
    show(project);
    onClose();
    navigate(`/stock/projects/${project.id}?tab=details`);
  }

  return (
    <Dialog title={texts.add} onClose={onClose}>
      <Form onSubmit={create}>
        <Field
          label={texts.name}
          name="name"
          required
          maxLength={1_000}
          hint={texts.draftHint}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label={texts.address}
          name="slug"
          required
          pattern={SLUG}
          title={texts.addressRule}
          hint={texts.addressHint}
          value={slug}
          onChange={({ target }) => {
            setOwn(true);
            setOwnSlug(target.value);
          }}
        />
        <FormButtons action={texts.create} onCancel={onClose} cancel={shared.cancel} />
      </Form>
    </Dialog>
  );
}
