import { lazy, Suspense, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { texts } from './texts.ts';
import { useRights } from './use-rights.ts';

const AddUnits = lazy(() => import('./add/add-units.tsx'));
const PasteUnits = lazy(() => import('../price-list/paste-units.tsx'));
const OrderUnits = lazy(() => import('./order-units.tsx'));

type Act = 'add' | 'order' | 'paste';

/** The actions of the page of units: add units, change them by pasted cells, and order those of a project. */
export function UnitActions({
  projectId,
  isMain = false,
}: {
  projectId: string | undefined;
  /** Whether adding units is the main action of the page. */
  isMain?: boolean;
}) {
  const [act, setAct] = useState<Act>();
  if (useRights() !== 'all') return null;
  const close = (): void => setAct(undefined);
  const project = projectId?.includes(',') ? undefined : projectId;
  return (
    <>
      <MenuButton
        label={texts.actions}
        name={texts.actionsName}
        choices={[
          { id: 'paste', label: texts.paste },
          { id: 'order', label: texts.order },
        ]}
        onChoose={(id) => setAct(id as Act)}
      />
      <Button look={isMain ? 'filled' : 'plain'} icon="plus" onClick={() => setAct('add')}>
        {texts.add}
      </Button>
      <Suspense>
        {act === 'add' && <AddUnits projectId={project} onClose={close} />}
        {act === 'paste' && <PasteUnits projectId={project} onClose={close} />}
        {act === 'order' && <OrderUnits projectId={project} onClose={close} />}
      </Suspense>
    </>
  );
}
