import { useId } from 'react';
import type { Role } from '../api.ts';
import { useSession } from '../session/session.tsx';
import { listRoles } from './roles.ts';
import { texts } from './texts.ts';

/** The choice of a role, with a description of each. */
export function RoleField({ role = 'agent' }: { role?: Role }) {
  const { me } = useSession();
  const id = useId();
  return (
    <fieldset className="form-choices">
      <legend>{texts.role}</legend>
      {listRoles(me.role).map((each) => (
        <div key={each} className="field-check">
          <input
            type="radio"
            name="role"
            value={each}
            id={`${id}-${each}`}
            aria-describedby={`${id}-${each}-allows`}
            defaultChecked={each === role}
          />
          <label htmlFor={`${id}-${each}`}>{texts.roles[each]}</label>
          <p className="field-hint" id={`${id}-${each}-allows`}>
            {texts.roleAllows[each]}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

/** Reads the role of a form with a role field. */
export const readRole = (values: FormData): Role => values.get('role') as Role;
