import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ifMatch, type Unit } from '../../api.ts';
import { Button } from '../../parts/button/button.tsx';
import { Icon } from '../../parts/button/icon.tsx';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { useReorder } from '../../parts/list/reorder.ts';
import { Notice } from '../../parts/message/notice.tsx';
import { showToast } from '../../parts/message/toast.tsx';
import { Skeleton } from '../../parts/page/states.tsx';
import { describeProblem } from '../../parts/text/problem-texts.ts';
import { texts as shared } from '../../parts/text/texts.ts';
import { ProjectChoice } from '../project-choice.tsx';
import { useProject } from '../project-data.ts';
import { texts } from './order-texts.ts';
import { useProjectUnits } from '../project-units.ts';
import { showOwnChange } from '../unit-data.ts';
import './order-units.css';

/** The dialog that orders the units of a project: by dragging, by the arrow keys, or by typing a place. */
export default function OrderUnits({
  projectId,
  onClose,
}: {
  projectId: string | undefined;
  onClose: () => void;
}) {
  const [chosen, setChosen] = useState(projectId ?? '');
  const { data: units } = useProjectUnits(chosen === '' ? null : chosen);
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {projectId === undefined && <ProjectChoice value={chosen} onChange={setChosen} />}
      {chosen !== '' && units === undefined && <Skeleton lines={6} />}
      {units !== undefined && (
        <Order key={chosen} projectId={chosen} units={units} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface OrderProps {
  projectId: string;
  units: readonly Unit[];
  onClose: () => void;
}

function Order({ projectId, units, onClose }: OrderProps) {
  const queries = useQueryClient();
  // Send the version that the project had when the dialog opened: the order is based on it.
  const { data: project } = useProject(projectId);
  const [etag, setEtag] = useState<string>();
  if (etag === undefined && project !== undefined) setEtag(project.etag);
  const [order, setOrder] = useState<readonly Unit[]>(units);
  const [message, setMessage] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { shown, move, handle } = useReorder(order, setOrder);

  async function save(): Promise<void> {
    if (etag === undefined) return;
    setBusy(true);
    try {
      const params = { path: { projectId }, header: ifMatch(etag) };
      const body = { unitIds: shown.map(({ id }) => id) };
      await api.PUT('/stock/projects/{projectId}/units/order', { params, body });
      showOwnChange(queries);
      showToast({ text: texts.saved });
      onClose();
    } catch (error) {
      setMessage(describeProblem(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <p className="soft">{texts.hint}</p>
      <ol className="order">
        {shown.map((unit, place) => (
          <li key={unit.id} className="order-item" data-place={place}>
            <button
              type="button"
              className="handle"
              aria-label={texts.move(unit.name ?? '')}
              {...handle(place)}
            >
              <Icon name="grip" />
            </button>
            <span className="order-name">{unit.name}</span>
            <PlaceField
              label={texts.place(unit.name ?? '')}
              place={place}
              onMove={(to) => move(place, Math.min(to, shown.length - 1))}
            />
          </li>
        ))}
      </ol>
      {message !== '' && <Notice look="error">{message}</Notice>}
      <div className="form-buttons">
        <Button look="bare" onClick={onClose}>
          {shared.cancel}
        </Button>
        <Button look="filled" isBusy={isBusy} onClick={() => void save()}>
          {texts.save}
        </Button>
      </div>
    </>
  );
}

/** The field of a unit's place in the list, counted from 1. */
function PlaceField({
  label,
  place,
  onMove,
}: {
  label: string;
  place: number;
  onMove: (to: number) => void;
}) {
  const [typed, setTyped] = useState<string>();

  function commit(): void {
    const to = Math.max(Number.parseInt(typed ?? '', 10), 1) - 1;
    setTyped(undefined);
    if (to >= 0) onMove(to);
  }

  return (
    <input
      className="control order-place"
      inputMode="numeric"
      aria-label={label}
      value={typed ?? place + 1}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
      }}
    />
  );
}
