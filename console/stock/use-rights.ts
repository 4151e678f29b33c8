import { useSession } from '../session/session.tsx';

/** Which fields of units a person may change: all, the status among those of a hold, or none. */
export type Rights = 'all' | 'hold' | 'none';

export function useRights(): Rights {
  const { can } = useSession();
  if (can('projects:write')) return 'all';
  return can('units:hold') ? 'hold' : 'none';
}
