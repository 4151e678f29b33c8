import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { api, ifMatch, ProblemError, type Unit } from '../../api.ts';
import { Button } from '../../parts/button/button.tsx';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { findName, useProjects } from '../../parts/domain/names.ts';
import { FormButtons } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { showToast } from '../../parts/message/toast.tsx';
import { lazyPart } from '../../parts/page/lazy-part.tsx';
import { LoadError, Skeleton } from '../../parts/page/states.tsx';
import { texts as shared } from '../../parts/text/texts.ts';
import { useSession } from '../../session/session.tsx';
import { drawerTexts } from './drawer-texts.ts';
import { formatPrice } from '../price.ts';
import { stockTexts } from '../stock-texts.ts';
import { texts } from '../texts.ts';
import { showOwnChange, useUnit } from '../unit-data.ts';
import { UnitForm } from './unit-form.tsx';
import type { UnsavedChanges } from '../use-unsaved-changes.ts';
import type { ChangeUnit } from '../use-unit-changes.tsx';
import './unit-drawer.css';

const UnitSections = lazyPart(() => import('./unit-sections.tsx'));

interface DrawerProps {
  id: string;
  changeUnit: ChangeUnit;
  unsaved: UnsavedChanges;
  onClose: () => void;
}

/** The drawer of one unit: its fields, its floor plan, the interested contacts, and its changes. */
export default function UnitDrawer({ id, changeUnit, unsaved, onClose }: DrawerProps) {
  const { data: unit, error, refetch } = useUnit(id);
  const projects = useProjects();
  const { can } = useSession();
  useEffect(() => unsaved.forgetStored([unit]), [unit, unsaved]);
  const isGone = error instanceof ProblemError && error.status === 404;
  return (
    <Dialog title={unit?.name ?? stockTexts.units} shape="side" onClose={onClose}>
      {isGone && <p>{drawerTexts.gone}</p>}
      {error !== null && !isGone && <LoadError error={error} onRetry={() => void refetch()} />}
      {unit === undefined && error === null && <Skeleton lines={8} />}
      {unit !== undefined && !isGone && (
        <>
          <p className="soft">
            <Link href={`/stock/projects/${unit.projectId}`}>
              {findName(projects, unit.projectId, texts.project)}
            </Link>
            {' · '}
            {drawerTexts.price(formatPrice(unit))}
          </p>
          <UnitForm unit={unit} changeUnit={changeUnit} unsaved={unsaved} />
          <UnitSections unit={unit} changeUnit={changeUnit} />
          {can('projects:write') && <Delete unit={unit} onDeleted={onClose} />}
        </>
      )}
    </Dialog>
  );
}

function Delete({ unit, onDeleted }: { unit: Unit; onDeleted: () => void }) {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [isInUse, setInUse] = useState(false);

  async function remove(): Promise<void> {
    try {
      const params = { path: { unitId: unit.id }, header: ifMatch(unit.etag) };
      await api.DELETE('/stock/units/{unitId}', { params });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'in_use') throw error;
      return setInUse(true);
    }
    onDeleted();
    showToast({ text: drawerTexts.deleted(unit.name ?? '') });
    showOwnChange(queries);
  }

  return (
    <>
      <Button look="danger" className="drawer-delete" onClick={() => setOpen(true)}>
        {drawerTexts.delete}
      </Button>
      {isOpen && (
        <Dialog title={`${drawerTexts.delete}: ${unit.name ?? ''}`} onClose={() => setOpen(false)}>
          <Form onSubmit={remove}>
            <p>{drawerTexts.deleteExplain}</p>
            {isInUse && (
              <p className="field-error" role="alert">
                {drawerTexts.inUse}
              </p>
            )}
            <FormButtons
              action={drawerTexts.delete}
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
