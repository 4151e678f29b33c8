import type { Project } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { Icon } from '../parts/button/icon.tsx';
import { useReorder } from '../parts/list/reorder.ts';
import { showToast } from '../parts/message/toast.tsx';
import { MenuButton } from '../parts/popup/menu.tsx';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { findName, useProjects } from '../parts/domain/names.ts';
import { texts } from './texts.ts';
import { useProjectEdits } from './use-project-edits.ts';
import { Link } from 'wouter';

/** The related projects. A person adds and removes them, and orders them by dragging, keys or menu. */
export function RelatedProjects({ project, canWrite }: { project: Project; canWrite: boolean }) {
  const projects = useProjects();
  const save = useProjectEdits(project.id);
  const store = (relatedProjectIds: string[]): void =>
    void save({ relatedProjectIds }, project).catch((error: unknown) =>
      showToast({ text: describeProblem(error), look: 'error' }),
    );
  const { shown, move, handle } = useReorder(project.relatedProjectIds, store);
  const nameOf = (id: string) => findName(projects, id, '…');
  const others = projects.filter(({ id }) => id !== project.id && !shown.includes(id));

  return (
    <section className="details-section" aria-labelledby="details-related">
      <h2 id="details-related">{texts.sections.related}</h2>
      <p className="soft">{texts.related.explain}</p>
      {shown.length === 0 && <p className="soft">{texts.related.empty}</p>}
      <ol className="related">
        {shown.map((id, place) => (
          <li key={id} className="related-item" data-place={place}>
            {canWrite && (
              <button
                type="button"
                className="handle"
                aria-label={texts.related.move(nameOf(id))}
                {...handle(place)}
              >
                <Icon name="grip" />
              </button>
            )}
            <Link href={`/stock/projects/${id}`}>{nameOf(id)}</Link>
            {canWrite && (
              <MenuButton
                look="bare"
                label=""
                name={texts.related.menu(nameOf(id))}
                choices={[
                  { id: 'earlier', label: texts.related.earlier, isDisabled: place === 0 },
                  {
                    id: 'later',
                    label: texts.related.later,
                    isDisabled: place === shown.length - 1,
                  },
                  { id: 'remove', label: texts.related.remove },
                ]}
                onChoose={(action) => {
                  if (action === 'remove') store(shown.filter((each) => each !== id));
                  else move(place, place + (action === 'later' ? 1 : -1));
                }}
              />
            )}
          </li>
        ))}
      </ol>
      {canWrite && others.length > 0 && (
        <form
          className="related-add"
          onSubmit={(event) => {
            event.preventDefault();
            const id = new FormData(event.currentTarget).get('project');
            if (typeof id === 'string' && id !== '') store([...shown, id]);
            event.currentTarget.reset();
          }}
        >
          <select
            name="project"
            className="control"
            required
            aria-invalid={false}
            aria-label={texts.related.choose}
          >
            <option value="">{texts.related.choose}</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <Button type="submit">{texts.related.add}</Button>
        </form>
      )}
    </section>
  );
}
