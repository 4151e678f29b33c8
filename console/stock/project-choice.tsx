import { useQuery } from '@tanstack/react-query';
import { PROJECTS } from '../parts/domain/names.ts';
import { SelectField } from '../parts/form/field.tsx';
import { projectTexts } from './project-texts.ts';
import { texts } from './texts.ts';

/** The choice of a project, for an action that needs one. */
export function ProjectChoice({
  value,
  onChange,
}: {
  value: string;
  onChange: (id: string) => void;
}) {
  const { data: projects } = useQuery(PROJECTS);
  return (
    <SelectField
      label={texts.project}
      name="project"
      required
      hint={projects?.length === 0 ? projectTexts.none : undefined}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{texts.chooseProject}</option>
      {projects?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
