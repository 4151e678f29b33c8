import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ifMatch, type Contact, type Unit } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { nameContact } from '../parts/contact-name.ts';
import { useDebounced } from '../parts/debounce.ts';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField, FormButtons } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { formatMoney } from '../parts/format.ts';
import { findName, useProjects } from '../parts/names.ts';
import { Picker } from '../parts/picker.tsx';
import { UnitStatus } from '../parts/status.tsx';
import { texts as shared } from '../parts/texts.ts';
import { useSession } from '../session/session.tsx';
import { texts } from './texts.ts';

const FOUND_MAX_COUNT = 20;
/** The status that the dialog proposes for the unit of a contact at each stage. */
const STATUS_OF_STAGE: Record<string, Unit['status']> = {
  Reserved: 'Reserved',
  'Under Contract': 'Under Contract',
  Settled: 'Settled',
};

interface AskUnitProps {
  contact: Contact;
  stage: string;
  onClose: () => void;
  /** Called with the current contact when the unit is linked, or the person continues without one. */
  onDone: (contact: Contact) => void;
}

/** The dialog that asks which unit a contact has reserved or bought. It links the unit, and offers to set its status. */
export function AskUnit({ contact, stage, onClose, onDone }: AskUnitProps) {
  const { can } = useSession();
  const [unit, setUnit] = useState<Unit>();
  const status = STATUS_OF_STAGE[stage];
  // Agents may only hold or reserve units; managers may also sell them.
  const maySet = can('projects:write') || (status === 'Reserved' && can('units:hold'));

  async function submit(values: FormData): Promise<void> {
    if (unit === undefined) return onDone(contact);
    const path = { contactId: contact.id };
    const body = { projectId: unit.projectId, unitId: unit.id };
    const { data: link } = await api.POST('/contacts/{contactId}/links', {
      params: { path },
      body,
    });
    if (status !== undefined && values.has('status') && unit.status !== status)
      await api.PATCH('/stock/units/{unitId}', {
        params: { path: { unitId: unit.id }, header: ifMatch(unit.etag) },
        body: { status },
      });
    const { data } = await api.GET('/contacts/{contactId}', { params: { path } });
    onDone({ ...contact, ...data, links: [...(contact.links ?? []), link] });
  }

  return (
    <Dialog title={texts.unit.title(stage)} onClose={onClose}>
      <p>{texts.unit.explain(nameContact(contact))}</p>
      {unit === undefined ? (
        <FindUnit projectId={contact.links?.[0]?.projectId} onChoose={setUnit} onClose={onClose} />
      ) : (
        <Form onSubmit={submit}>
          <p className="board-unit">
            <span>{unit.name}</span>
            <UnitStatus status={unit.status ?? ''} />
            <Button look="bare" onClick={() => setUnit(undefined)}>
              {texts.unit.change}
            </Button>
          </p>
          {maySet && status !== undefined && unit.status !== status && (
            <CheckField
              name="status"
              label={texts.unit.setStatus(unit.name ?? '', status)}
              defaultChecked
            />
          )}
          <FormButtons action={texts.unit.move(stage)} cancel={shared.cancel} onCancel={onClose} />
        </Form>
      )}
      {unit === undefined && (
        <div className="form-buttons">
          <Button onClick={() => onDone(contact)}>{texts.unit.without}</Button>
        </div>
      )}
    </Dialog>
  );
}

function FindUnit({
  projectId,
  onChoose,
  onClose,
}: {
  projectId: string | undefined;
  onChoose: (unit: Unit) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const q = useDebounced(text.trim());
  const projects = useProjects();
  const { data = [], isFetching } = useQuery({
    queryKey: ['unit', 'find', q, projectId],
    queryFn: async ({ signal }) => {
      const query = {
        status: 'Available,On Hold,Reserved,Under Contract',
        limit: FOUND_MAX_COUNT,
        ...(q.length >= 2 && { q }),
        ...(projectId !== undefined && { project: projectId }),
      };
      return (await api.GET('/stock/units', { params: { query }, signal })).data.data;
    },
    placeholderData: (before) => before,
  });
  return (
    <Picker
      label={texts.unit.find}
      text={text}
      onText={setText}
      isLoading={isFetching}
      empty={texts.unit.none}
      onClose={onClose}
      options={data.map((unit) => ({
        id: unit.id,
        label: [findName(projects, unit.projectId, ''), unit.name].filter(Boolean).join(', '),
        detail: describeUnit(unit),
      }))}
      onChoose={(id) => {
        const unit = data.find((each) => each.id === id);
        if (unit !== undefined) onChoose(unit);
      }}
    />
  );
}

function describeUnit({ status, price, currency }: Unit): string {
  const money = price == null ? '' : formatMoney(price, currency ?? undefined);
  return [money, status].filter(Boolean).join(' · ');
}
