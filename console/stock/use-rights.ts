import { useSession } from '../session/session.tsx';

/** The fields of units that a person may change: all, only the status between those of a hold, or none. */
export type Rights = 'all' | 'hold' | 'none';

/** Returns the rights that the scopes of the session give. */
export function useRights(): Rights {
  const { can } = useSession();
  if (can('projects:write')) return 'all';
  return can('units:hold') ? 'hold' : 'none';
}
