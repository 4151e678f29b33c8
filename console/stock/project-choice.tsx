import { SelectField } from '../parts/field.tsx';
import { useProjects } from '../parts/names.ts';
import { texts } from './texts.ts';

/** Chooses the project of an act that is for one project. */
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
