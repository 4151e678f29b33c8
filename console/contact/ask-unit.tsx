import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ifMatch, type Unit } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { nameContact } from '../parts/domain/contact-name.ts';
import { CheckField, FormButtons } from '../parts/form/field.tsx';
import { findName, useProjects } from '../parts/domain/names.ts';
import {
  HELD_STATUSES,
  STAGES_WITH_UNIT,
  UNIT_STATUSES,
  UnitStatus,
} from '../parts/domain/status.tsx';
import { readCurrent } from '../parts/edit/edit.ts';
import { Form } from '../parts/form/form.tsx';
import { Notice } from '../parts/message/notice.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { texts as shared } from '../parts/text/texts.ts';
import { useSession } from '../session/session.tsx';
import { LinkPicker } from './link-picker.tsx';
import { useContact } from './queries.ts';
import type { UnitQuestion } from './unit-question.ts';
import { texts } from './unit-texts.ts';
import './ask-unit.css';

/** The status that the dialog proposes for the unit of a contact at each stage. */
const STATUS_OF_STAGE: Record<string, Unit['status']> = {
  Reserved: 'Reserved',
  'Under Contract': 'Under Contract',
  Settled: 'Settled',
};

/** Whether a status comes after another one. An earlier one would put a sold unit on sale again, so the person has to choose it. */
const isLater = (status: string, before = ''): boolean =>
  UNIT_STATUSES.indexOf(status) > UNIT_STATUSES.indexOf(before);

const SHOWN_MAX_COUNT = 3;

interface AskUnitProps extends UnitQuestion {
  onClose: () => void;
}

/** The dialog that asks which unit a contact has reserved or bought. It links the unit, and offers to set its status. */
export default function AskUnit({ contact, stage, onClose, onDone }: AskUnitProps) {
  const { can } = useSession();
  const { data: whole } = useContact(contact.id);
  const [unit, setUnit] = useState<Unit>();
  const projects = useProjects();
  const [isTaken, setTaken] = useState(false);
  const wanted = STATUS_OF_STAGE[stage];
  const maySell = can('projects:write');
  // An agent may hold or reserve a unit, but not mark it as sold. An agent who sets Under Contract or Settled therefore reserves the
  // unit, so that nobody else sells it.
  const status = maySell ? wanted : 'Reserved';
  const isHeld = HELD_STATUSES.some((each) => each === unit?.status);
  const maySet = maySell || (can('units:hold') && isHeld);

  function chooseAnother(): void {
    setUnit(undefined);
    setTaken(false);
  }

  async function submit(values: FormData): Promise<void> {
    if (unit === undefined) return;
    if (status !== undefined && values.has('status') && !(await setStatus(unit, status))) return;
    const path = { contactId: contact.id };
    const body = { projectId: unit.projectId, unitId: unit.id };
    await api.POST('/contacts/{contactId}/links', { params: { path }, body });
    onDone((await api.GET('/contacts/{contactId}', { params: { path } })).data);
  }

  /** Sets the status of a unit. When somebody else has set it since the person saw it, shows that, and returns false. */
  async function setStatus(seen: Unit, to: NonNullable<Unit['status']>): Promise<boolean> {
    try {
      const stored = await sendStatus(seen, to);
      setUnit(stored);
      const name = stored.name ?? '';
      showToast({
        text: texts.set(name, to),
        onUndo: () => void undoStatus(stored, seen.status ?? 'Available'),
      });
      return true;
    } catch (error) {
      const current = readCurrent<Unit>(error);
      if (current === undefined) throw error;
      setUnit(current);
      if (current.status === seen.status) return setStatus(current, to);
      setTaken(true);
      return false;
    }
  }

  return (
    <Dialog title={texts.title(stage)} onClose={onClose}>
      <p>{texts.explain(nameContact(contact))}</p>
      {unit === undefined ? (
        <>
          <LinkPicker
            isUnitOnly
            ownProjects={(whole?.links ?? []).map(({ projectId }) => projectId)}
            onChoose={(_target, chosen) => setUnit(chosen)}
          />
          <div className="form-buttons">
            <Button onClick={() => onDone({})}>{texts.without}</Button>
          </div>
        </>
      ) : (
        <Form onSubmit={submit}>
          <p className="ask-unit" ref={focusForm}>
            <strong>
              {[findName(projects, unit.projectId, ''), unit.name].filter(Boolean).join(', ')}
            </strong>
            <UnitStatus status={unit.status ?? ''} />
            <Button onClick={chooseAnother}>{texts.change}</Button>
          </p>
          <Buyers unit={unit} />
          {isTaken && (
            <Notice look="error">{texts.taken(unit.name ?? '', unit.status ?? '')}</Notice>
          )}
          {maySet && status !== undefined && unit.status !== status && (
            <CheckField
              key={unit.status}
              name="status"
              label={texts.setStatus(unit.name ?? '', status)}
              {...(wanted !== status && { hint: texts.otherStatus(stage) })}
              defaultChecked={isLater(status, unit.status)}
            />
          )}
          <FormButtons action={texts.move(stage)} cancel={shared.cancel} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  );
}

/** Names the contacts who have reserved or bought the unit, because the person may mean another one. */
function Buyers({ unit: { id, name = '' } }: { unit: Unit }) {
  const { data } = useQuery({
    queryKey: ['contact', 'buyers', id],
    queryFn: async ({ signal }) => {
      const query = { unit: id, stage: STAGES_WITH_UNIT.join(), limit: SHOWN_MAX_COUNT };
      return (await api.GET('/contacts', { params: { query }, signal })).data.data;
    },
  });
  const buyers = (data ?? []).map((contact) =>
    texts.buyer(nameContact(contact), contact.stage ?? ''),
  );
  return (
    <div role="status">
      {buyers.length > 0 && <Notice look="warning">{texts.buyers(name, buyers.join(', '))}</Notice>}
    </div>
  );
}

async function sendStatus(unit: Unit, status: NonNullable<Unit['status']>): Promise<Unit> {
  const { data } = await api.PATCH('/stock/units/{unitId}', {
    params: { path: { unitId: unit.id }, header: ifMatch(unit.etag) },
    body: { status },
  });
  return data;
}

async function undoStatus(unit: Unit, status: NonNullable<Unit['status']>): Promise<void> {
  try {
    await sendStatus(unit, status);
    showToast({ text: texts.setBack(unit.name ?? '', status) });
  } catch (error) {
    showToast({ text: describeProblem(error), look: 'error' });
  }
}

/** Gives the focus, which was in the list of units, to the form. */
function focusForm(element: HTMLElement | null): void {
  element?.closest('form')?.querySelector<HTMLElement>('input, [type=submit]')?.focus();
}
