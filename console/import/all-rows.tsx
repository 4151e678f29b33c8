import { useQuery } from '@tanstack/react-query';
import { api, listItems, type Project, type User } from '../api.ts';
import { Field, SelectField } from '../parts/form/field.tsx';
import type { Plan } from './plan.ts';
import { SOURCES } from '../parts/domain/contact-choices.ts';
import { texts } from './texts.ts';

/** The form for the values that all rows of a file get. */
export function AllRows({
  plan,
  change,
}: {
  plan: Plan;
  change: (changes: Partial<Plan>) => void;
}) {
  const { data: projects = [] } = useQuery({
    queryKey: ['project', 'live'],
    queryFn: listProjects,
  });
  const { data: people = [] } = useQuery({ queryKey: ['user', 'active'], queryFn: listPeople });
  const { data: tags = [] } = useQuery({ queryKey: ['tag', 'labels'], queryFn: listTags });
  return (
    <section className="import-part" aria-labelledby="import-all-title">
      <h2 id="import-all-title">{texts.columns.all}</h2>
      <p>{texts.columns.allAbout}</p>
      <div className="import-all">
        <SelectField
          label={texts.columns.source}
          name="source"
          value={plan.source}
          onChange={(event) => change({ source: event.target.value })}
        >
          <option value="">{texts.columns.asRows}</option>
          {SOURCES.map((source) => (
            <option key={source}>{source}</option>
          ))}
        </SelectField>
        <Field
          label={texts.columns.tags}
          name="tags"
          hint={texts.columns.tagsHint}
          list="import-tags"
          value={plan.tags}
          onChange={(event) => change({ tags: event.target.value })}
        />
        <datalist id="import-tags">
          {tags.map((label) => (
            <option key={label}>{label}</option>
          ))}
        </datalist>
        <SelectField
          label={texts.columns.project}
          name="projectId"
          value={plan.projectId}
          onChange={(event) => change({ projectId: event.target.value })}
        >
          <option value="">{texts.columns.asRows}</option>
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={texts.columns.assigned}
          name="assignedAccountUserId"
          value={plan.assignedTo}
          onChange={(event) => change({ assignedTo: event.target.value })}
        >
          <option value="">{texts.columns.nobody}</option>
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
    </section>
  );
}

/** Lists the live projects: an import can link no other ones. */
async function listProjects(): Promise<Project[]> {
  const query = { publication: 'live', sort: 'name' } as const;
  const projects: Project[] = [];
  for await (const project of listItems(api, '/stock/projects', { params: { query } }))
    projects.push(project);
  return projects;
}

async function listPeople(): Promise<User[]> {
  const people: User[] = [];
  for await (const user of listItems(api, '/users', { params: { query: { active: true } } }))
    people.push(user);
  return people;
}

/** Lists the labels of tags to suggest. */
async function listTags(): Promise<string[]> {
  const { data } = await api.GET('/tags', { params: { query: { limit: 100 } } });
  return data.data.map(({ label }) => label);
}
