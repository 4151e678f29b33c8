import { Link } from 'wouter';
import { Icon } from '../parts/button/icon.tsx';
import { texts } from './texts.ts';

const STEPS = ['file', 'columns', 'check', 'run', 'report'] as const;
export type Step = (typeof STEPS)[number];

/** The list of steps of an import: finished, open and later ones. The person can open the steps in `links`. */
export function Steps({ open, links }: { open: Step; links: Partial<Record<Step, string>> }) {
  const at = STEPS.indexOf(open);
  return (
    <nav className="import-steps" aria-label={texts.steps.label}>
      <ol>
        {STEPS.map((step, index) => {
          const to = step === open ? undefined : links[step];
          const inside = (
            <>
              <span className="import-step-mark">
                {index < at ? <Icon name="check" /> : index + 1}
              </span>
              {texts.steps[step]}
            </>
          );
          return (
            <li
              key={step}
              className={step === open ? 'import-step import-step-open' : 'import-step'}
              aria-current={step === open ? 'step' : undefined}
            >
              {to === undefined ? <span>{inside}</span> : <Link href={to}>{inside}</Link>}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
