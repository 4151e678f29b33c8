import { useEffect, useRef } from 'react';
import type { Project } from '../api.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import { AreaField, Field, FormButtons, SelectField } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { texts as shared } from '../parts/text/texts.ts';
import { useSession } from '../session/session.tsx';
import { fieldValue, PROJECT_STATUSES, SECTIONS } from './fields.ts';
import { RelatedProjects } from './related-projects.tsx';
import { texts } from './texts.ts';
import { useDetailDraft } from './use-detail-draft.ts';
import { useProjectEdits } from './use-project-edits.ts';

type DetailField = (typeof SECTIONS)[number]['fields'][number];
type Drafted = ReturnType<typeof useDetailDraft>;

/** The fields of a project in one form, and its related projects. */
export function Details({ project }: { project: Project }) {
  const { can } = useSession();
  const draft = useDetailDraft(project);
  const save = useProjectEdits(project.id);
  const place = useLinkedField();
  const canWrite = can('projects:write');

  async function submit(): Promise<void> {
    const wanted = await draft.findWanted();
    if (wanted === undefined) return;
    const change = wanted.map((name) => [name, fieldValue(name, draft.textOf(name))]);
    if (wanted.length > 0) await save(Object.fromEntries(change), project);
    draft.dropSent();
  }

  return (
    <div className="details" ref={place}>
      <Form onSubmit={submit} label={texts.tabs.details}>
        <fieldset className="details-all" disabled={!canWrite}>
          {SECTIONS.map(({ id, fields }) => (
            <section key={id} className="details-section" aria-labelledby={`details-${id}`}>
              <h2 id={`details-${id}`}>{texts.sections[id]}</h2>
              {fields.map((field) => (
                <Control key={field.name} field={field} draft={draft} project={project} />
              ))}
            </section>
          ))}
        </fieldset>
        {draft.names.length > 0 && (
          <div className="details-bar">
            <p role="status">{texts.changedFields(draft.names.length)}</p>
            <Button look="bare" onClick={draft.clear}>
              {texts.discard}
            </Button>
            <FormButtons action={shared.save} />
          </div>
        )}
      </Form>
      <RelatedProjects project={project} canWrite={canWrite} />
    </div>
  );
}

function Control({
  field: { name, kind, isNeeded = false },
  draft,
  project,
}: {
  field: DetailField;
  draft: Drafted;
  project: Project;
}) {
  const isMissing = isNeeded && draft.textOf(name) === '' && project.publication !== 'archived';
  const hint = isMissing
    ? [texts.needed, texts.hints[name]].filter(Boolean).join('. ')
    : texts.hints[name];
  const common = {
    label: texts.fields[name] ?? name,
    name,
    value: draft.textOf(name),
    onChange: ({ target }: { target: { value: string } }) => draft.type(name, target.value),
    ...(hint !== undefined && { hint }),
  };
  if (kind === 'area') return <AreaField {...common} rows={8} />;
  if (kind === 'status')
    return (
      <SelectField {...common}>
        {PROJECT_STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </SelectField>
    );
  const type = kind === 'number' ? { type: 'number', step: 'any' } : { type: kind };
  return <Field {...common} {...type} required={name === 'name' || name === 'slug'} />;
}

/** Focuses the field that the address names. The list of missing fields links to it when publishing is refused. */
function useLinkedField() {
  const place = useRef<HTMLDivElement>(null);
  const { query, change } = useAddress();
  const name = query.get('field');
  useEffect(() => {
    if (name === null) return;
    place.current?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
    change({ field: null }, { replace: true });
  }, [name, change]);
  return place;
}
