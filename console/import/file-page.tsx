import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { ContactFile } from '../api.ts';
import { pageTitles } from '../frame/texts.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Page } from '../parts/page/page.tsx';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { CheckStep } from './check-step.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { isBusy, useFile } from './files.ts';
import { makeStart, usePlan, type Plan } from './plan.ts';
import { ReportStep } from './report-step.tsx';
import { RunStep } from './run-step.tsx';
import { Steps, type Step } from './steps.tsx';
import { texts } from './texts.ts';
import './import.css';

/** The page of a file's import, step by step. The status of the file decides the step; before the run, the person can go back and forth. */
export function FilePage({ id }: { id: string }) {
  const { data: file, error, refetch } = useFile(id);
  return (
    <Page
      title={file?.name ?? pageTitles.import}
      above={<Link href="/import">{texts.allImports}</Link>}
    >
      {file !== undefined && <Wizard key={file.id} file={file} />}
      {file === undefined && error !== null && (
        <LoadError error={error} onRetry={() => void refetch()} />
      )}
      {file === undefined && error === null && <Skeleton lines={6} />}
    </Page>
  );
}

function Wizard({ file }: { file: ContactFile }) {
  const [plan, changePlan] = usePlan(file);
  const { query, change } = useAddress();
  const isTried = file.run?.dryRun === true && plan.tried === describeStart(file, plan);
  const step = chooseStep(file, query.get('step'), isTried);
  const path = `/import/${file.id}`;
  const isOpen = file.status === 'ready';
  const links = {
    file: '/import',
    ...(isOpen && { columns: path }),
    ...(isOpen && isTried && { check: `${path}?step=check` }),
  };
  const root = useRef<HTMLDivElement>(null);
  // An undo removes its own button, so treat it as a change of the step.
  const place = file.status === 'undoing' ? file.status : step;
  const placeBefore = useRef(place);
  useEffect(() => {
    // The button that opened this step is gone, so focus the step's title. On arrival, the page's title keeps the focus.
    if (placeBefore.current !== place) root.current?.querySelector('h2')?.focus();
    placeBefore.current = place;
  }, [place]);
  const goTo = (to: 'check' | null) => change({ step: to });
  return (
    <div className="import-wizard" ref={root}>
      <Steps open={step} links={links} />
      {step === 'file' && <FileStep file={file} />}
      {step === 'columns' && (
        <ColumnsStep
          file={file}
          plan={plan}
          change={changePlan}
          onTried={() => {
            changePlan({ tried: describeStart(file, plan) });
            goTo('check');
          }}
        />
      )}
      {step === 'check' && (
        <CheckStep file={file} start={makeStart(file, plan)} onBack={() => goTo(null)} />
      )}
      {step === 'run' && <RunStep file={file} />}
      {step === 'report' && <ReportStep file={file} />}
    </div>
  );
}

const describeStart = (file: ContactFile, plan: Plan): string =>
  JSON.stringify(makeStart(file, plan));

function chooseStep(file: ContactFile, asked: string | null, isTried: boolean): Step {
  const { status, run, problem } = file;
  if (status === 'checking' || status === 'refused') return 'file';
  if (status === 'completed' || status === 'undoing' || status === 'undone') return 'report';
  if (run?.dryRun === false) return status === 'ready' ? 'columns' : 'run';
  if (isBusy(file)) return 'check';
  return asked === 'check' && isTried && problem === null ? 'check' : 'columns';
}
