import { useRef, useState } from 'react';
import { ProblemError, type Unit } from '../../api.ts';
import { Button } from '../../parts/button/button.tsx';
import { describeProblem } from '../../parts/text/problem-texts.ts';
import { PICTURE_TYPES, uploadPicture } from '../../parts/upload/upload-picture.ts';
import { Picture } from '../picture.tsx';
import { useRights } from '../use-rights.ts';
import type { ChangeUnit } from '../use-unit-changes.tsx';
import { sectionTexts as texts } from './section-texts.ts';

/** The floor plan of a unit. A person can view, replace or remove it. */
export function FloorPlan({ unit, changeUnit }: { unit: Unit; changeUnit: ChangeUnit }) {
  const canWrite = useRights() === 'all';
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const plan = unit.floorPlanImage;

  async function send(file: File): Promise<void> {
    setBusy(true);
    setMessage('');
    try {
      const { key, url } = (await uploadPicture(file)).data;
      changeUnit(unit, { floorPlanImage: { key, url, alt: null } });
    } catch (error) {
      const isRefused = error instanceof ProblemError && [413, 415, 422].includes(error.status);
      setMessage(isRefused ? texts.refused : describeProblem(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <section className="drawer-part">
      <h3>{texts.plan}</h3>
      {plan === null ? (
        <p className="soft">{texts.noPlan}</p>
      ) : (
        <a href={plan.url} target="_blank" rel="noreferrer" aria-label={texts.openPlan}>
          <Picture
            picture={{ ...plan, alt: plan.alt ?? texts.of(unit.name ?? '') }}
            className="drawer-plan"
          />
        </a>
      )}
      {canWrite && (
        <div className="drawer-buttons">
          <Button icon="upload" isBusy={isBusy} onClick={() => input.current?.click()}>
            {plan === null ? texts.addPlan : texts.replacePlan}
          </Button>
          {plan !== null && (
            <Button look="bare" onClick={() => changeUnit(unit, { floorPlanImage: null })}>
              {texts.removePlan}
            </Button>
          )}
          <input
            ref={input}
            type="file"
            hidden
            accept={PICTURE_TYPES}
            aria-label={texts.addPlan}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file !== undefined) void send(file);
              target.value = '';
            }}
          />
        </div>
      )}
      {message !== '' && (
        <p className="field-error" role="alert">
          {message}
        </p>
      )}
    </section>
  );
}
