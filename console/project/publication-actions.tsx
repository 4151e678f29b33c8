import { useState } from 'react';
import { Link } from 'wouter';
import { api, ifMatch, ProblemError, type Project } from '../api.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { FormButtons } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { MenuButton } from '../parts/popup/menu.tsx';
import { formatCount } from '../parts/text/format.ts';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { texts as shared } from '../parts/text/texts.ts';
import { useSession } from '../session/session.tsx';
import { useShowProject } from '../stock/project-data.ts';
import { texts } from './texts.ts';

type Action = 'publish' | 'unpublish' | 'archive';
type Question = 'unpublish' | 'archive' | 'delete';

const DONE: Record<Action, string> = {
  publish: texts.published,
  unpublish: texts.unpublished,
  archive: texts.archived,
};

/** The button that publishes a project, and a menu that archives, unpublishes or deletes it. */
export function PublicationActions({ project }: { project: Project }) {
  const { can } = useSession();
  const show = useShowProject();
  const [question, setQuestion] = useState<Question>();
  const [missing, setMissing] = useState<readonly string[]>();
  const [isBusy, setBusy] = useState(false);
  if (!can('projects:write')) return null;

  async function action(what: Action, seen = project): Promise<void> {
    const params = { path: { projectId: project.id }, header: ifMatch(seen.etag) };
    const { data } = await api.POST(`/stock/projects/{projectId}/${what}`, { params, body: {} });
    show(data);
    const takeBack = (): void =>
      void action(seen.publication === 'draft' ? 'unpublish' : 'archive', data).catch(
        (error: unknown) => showToast({ text: describeProblem(error), look: 'error' }),
      );
    // Unpublish and archive have asked before.
    showToast({ text: DONE[what], ...(what === 'publish' && { onUndo: takeBack }) });
  }

  async function publish(): Promise<void> {
    setBusy(true);
    try {
      await action('publish');
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'project_incomplete')
        setMissing(error.errors.map(({ pointer }) => pointer?.slice(1) ?? ''));
      else showToast({ text: describeProblem(error), look: 'error' });
    } finally {
      setBusy(false);
    }
  }

  const choices = [
    { id: 'unpublish', label: texts.unpublish, isShown: project.publication !== 'draft' },
    { id: 'archive', label: texts.archive, isShown: project.publication !== 'archived' },
    { id: 'delete', label: texts.delete, isDanger: true, isShown: project.publication === 'draft' },
  ].filter(({ isShown }) => isShown);
  return (
    <>
      <MenuButton
        label={texts.actions}
        choices={choices}
        onChoose={(id) => setQuestion(id as Question)}
      />
      {project.publication !== 'live' && (
        <Button look="filled" isBusy={isBusy} onClick={() => void publish()}>
          {texts.publish}
        </Button>
      )}
      {question !== undefined && (
        <Confirm
          project={project}
          question={question}
          action={action}
          onClose={() => setQuestion(undefined)}
        />
      )}
      {missing !== undefined && <Missing names={missing} onClose={() => setMissing(undefined)} />}
    </>
  );
}

/** Lists what a project lacks to be live, each as a link to its field. */
function Missing({ names, onClose }: { names: readonly string[]; onClose: () => void }) {
  const { path } = useAddress();
  return (
    <Dialog title={texts.incomplete} onClose={onClose}>
      <p>{texts.incompleteExplain}</p>
      <ul className="project-missing">
        {names.map((name) => (
          <li key={name}>
            <Link href={`${path}?tab=details&field=${name}`} onClick={onClose}>
              {texts.fields[name] ?? name}
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const EXPLAINED = {
  unpublish: texts.unpublishExplain,
  archive: texts.archiveExplain,
  delete: texts.deleteExplain,
};

function Confirm({
  project,
  question,
  action,
  onClose,
}: {
  project: Project;
  question: Question;
  action: (what: Action) => Promise<void>;
  onClose: () => void;
}) {
  const { navigate } = useAddress();
  const [references, setReferences] = useState<string>();

  async function submit(): Promise<void> {
    if (question !== 'delete') await action(question);
    else if (!(await remove())) return;
    onClose();
  }

  /** Deletes the draft. Returns false when the service refuses because something refers to it. */
  async function remove(): Promise<boolean> {
    const params = { path: { projectId: project.id }, header: ifMatch(project.etag) };
    try {
      await api.DELETE('/stock/projects/{projectId}', { params });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'in_use') throw error;
      setReferences(describeReferences(error.problem.references ?? {}));
      return false;
    }
    navigate('/stock/projects', { replace: true });
    showToast({ text: texts.deleted });
    return true;
  }

  return (
    <Dialog title={`${texts[question]}: ${project.name ?? ''}`} onClose={onClose}>
      <Form onSubmit={submit}>
        <p>{EXPLAINED[question]}</p>
        {references !== undefined && (
          <p className="field-error" role="alert">
            {texts.references(references)}
          </p>
        )}
        <FormButtons
          action={texts[question]}
          look={question === 'delete' ? 'danger' : 'filled'}
          onCancel={onClose}
          cancel={shared.cancel}
        />
      </Form>
    </Dialog>
  );
}

const describeReferences = (references: Record<string, number>): string =>
  Object.entries(references)
    .map(([noun, count]) => formatCount(count, ...(texts.referenceNames[noun] ?? [noun, noun])))
    .join(', ');
