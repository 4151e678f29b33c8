import { SelectField } from '../parts/field.tsx';
import { useProjects } from '../parts/names.ts';
import { texts } from './texts.ts';

/** The choice of a project, for an action that needs one. */
export function ProjectChoice({
  value,
  onChange,
}: {
  value: string;
  onChange: (id: string) => void;
}) {
  const projects = useProjects();
  return (
    <SelectField
      label={texts.project}
      name="project"
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{texts.chooseProject}</option>
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
