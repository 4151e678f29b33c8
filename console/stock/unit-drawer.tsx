import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, ifMatch, ProblemError, type Unit } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { nameContact } from '../parts/contact-name.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormButtons } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { formatTime } from '../parts/format.ts';
import { findName, useProjects } from '../parts/names.ts';
import { LoadError, Skeleton } from '../parts/states.tsx';
import { Stage } from '../parts/status.tsx';
import { texts as shared } from '../parts/texts.ts';
import { showToast } from '../parts/toast.tsx';
import { useSession } from '../session/session.tsx';
import { describeUnitValue } from './describe.ts';
import { FloorPlan } from './floor-plan.tsx';
import { formatPrice } from './price.ts';
import { stockTexts } from './stock-texts.ts';
import { texts } from './texts.ts';
import { showOwnChange, useUnit } from './unit-data.ts';
import { UnitForm } from './unit-form.tsx';
import type { Refusals } from './use-refusals.ts';
import type { ChangeUnit } from './use-unit-changes.tsx';
import './unit-drawer.css';

interface DrawerProps {
  id: string;
  changeUnit: ChangeUnit;
  refusals: Refusals;
  onClose: () => void;
}

/** The drawer of one unit: its fields, its floor plan, the interested contacts, and its changes. */
export default function UnitDrawer({ id, changeUnit, refusals, onClose }: DrawerProps) {
  const { data: unit, error, refetch } = useUnit(id);
  const projects = useProjects();
  const { can } = useSession();
  const isGone = error instanceof ProblemError && error.status === 404;
  return (
    <Dialog title={unit?.name ?? stockTexts.units} shape="side" onClose={onClose}>
      {isGone && <p>{texts.drawer.gone}</p>}
      {error !== null && !isGone && <LoadError error={error} onRetry={() => void refetch()} />}
      {unit === undefined && error === null && <Skeleton lines={8} />}
      {unit !== undefined && !isGone && (
        <>
          <p className="drawer-soft">
            <Link href={`/stock/projects/${unit.projectId}`}>
              {findName(projects, unit.projectId, texts.project)}
            </Link>
            {' · '}
            {texts.drawer.price(formatPrice(unit))}
          </p>
          <UnitForm unit={unit} changeUnit={changeUnit} refusals={refusals} />
          <FloorPlan unit={unit} changeUnit={changeUnit} />
          {can('contacts:read') && <Contacts unitId={id} />}
          <History unit={unit} />
          {can('projects:write') && <Delete unit={unit} onDeleted={onClose} />}
        </>
      )}
    </Dialog>
  );
}

const SHOWN_CONTACTS = 10;

function Contacts({ unitId }: { unitId: string }) {
  const { data } = useQuery({
    queryKey: ['contact', 'of-unit', unitId],
    queryFn: async () => {
      const query = { unit: unitId, limit: SHOWN_CONTACTS, sort: '-lastActivityAt' as const };
      return (await api.GET('/contacts', { params: { query } })).data;
    },
  });
  return (
    <section className="drawer-part">
      <h3>{texts.drawer.contacts}</h3>
      {data?.data.length === 0 && <p className="drawer-soft">{texts.drawer.noContacts}</p>}
      <ul>
        {data?.data.map((contact) => (
          <li key={contact.id} className="drawer-row">
            <Link href={`/contacts/${contact.id}`}>{nameContact(contact)}</Link>
            <Stage stage={contact.stage} />
          </li>
        ))}
      </ul>
      {data?.pagination.hasNextPage === true && (
        <Link href={`/contacts?unit=${unitId}`}>{texts.drawer.allContacts}</Link>
      )}
    </section>
  );
}

const SHOWN_CHANGES = 10;

function History({ unit }: { unit: Unit }) {
  const [limit, setLimit] = useState(SHOWN_CHANGES);
  const { data } = useQuery({
    queryKey: ['unit', 'history', unit.id, limit],
    queryFn: async () => {
      const params = { path: { unitId: unit.id }, query: { limit } };
      return (await api.GET('/stock/units/{unitId}/changes', { params })).data;
    },
    placeholderData: (before) => before,
  });
  return (
    <section className="drawer-part">
      <h3>{texts.drawer.history}</h3>
      {data?.data.length === 0 && <p className="drawer-soft">{texts.drawer.noHistory}</p>}
      <ol>
        {data?.data.map(({ id, field, before, after, at, actor }) => (
          <li key={id} className="drawer-change">
            {texts.drawer.change(
              stockTexts.fields[field] ?? field,
              describeUnitValue(field, before, unit),
              describeUnitValue(field, after, unit),
            )}
            <span className="drawer-soft">
              {[actor.name, formatTime(at)].filter(Boolean).join(', ')}
            </span>
          </li>
        ))}
      </ol>
      {data?.pagination.hasNextPage === true && (
        <Button look="bare" onClick={() => setLimit((before) => before + 40)}>
          {texts.drawer.moreHistory}
        </Button>
      )}
    </section>
  );
}

function Delete({ unit, onDeleted }: { unit: Unit; onDeleted: () => void }) {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [isUsed, setUsed] = useState(false);

  async function remove(): Promise<void> {
    try {
      const params = { path: { unitId: unit.id }, header: ifMatch(unit.etag) };
      await api.DELETE('/stock/units/{unitId}', { params });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'in_use') throw error;
      return setUsed(true);
    }
    onDeleted();
    showToast({ text: texts.drawer.deleted(unit.name ?? '') });
    showOwnChange(queries);
  }

  return (
    <>
      <Button look="danger" className="drawer-delete" onClick={() => setOpen(true)}>
        {texts.drawer.delete}
      </Button>
      {isOpen && (
        <Dialog title={`${texts.drawer.delete}: ${unit.name ?? ''}`} onClose={() => setOpen(false)}>
          <Form onSubmit={remove}>
            <p>{texts.drawer.deleteExplain}</p>
            {isUsed && (
              <p className="field-error" role="alert">
                {texts.drawer.inUse}
              </p>
            )}
            <FormButtons
              action={texts.drawer.delete}
              look="danger"
              onCancel={() => setOpen(false)}
              cancel={shared.cancel}
            />
          </Form>
        </Dialog>
      )}
    </>
  );
}
