import { useState } from 'react';
import { Button } from '../parts/button/button.tsx';
import { lazyDialog } from '../parts/page/lazy-part.tsx';
import { MenuButton } from '../parts/popup/menu.tsx';
import { texts } from './texts.ts';
import { useRights } from './use-rights.ts';

const AddUnits = lazyDialog(() => import('./add/add-units.tsx'));
const PasteUnits = lazyDialog(() => import('../price-list/paste-units.tsx'));
const OrderUnits = lazyDialog(() => import('./order/order-units.tsx'));

type Action = 'add' | 'order' | 'paste';

/** The actions of the page of units: add units, change them by pasted cells, and order those of a project. */
export function UnitActions({
  projectId,
  isMain = false,
}: {
  projectId: string | undefined;
  /** Whether adding units is the main action of the page. */
  isMain?: boolean;
}) {
  const [action, setAction] = useState<Action>();
  if (useRights() !== 'all') return null;
  const close = (): void => setAction(undefined);
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
        onChoose={(id) => setAction(id as Action)}
      />
      <Button look={isMain ? 'filled' : 'plain'} icon="plus" onClick={() => setAction('add')}>
        {texts.add}
      </Button>
      {action === 'add' && <AddUnits projectId={project} onClose={close} />}
      {action === 'paste' && <PasteUnits projectId={project} onClose={close} />}
      {action === 'order' && <OrderUnits projectId={project} onClose={close} />}
    </>
  );
}
