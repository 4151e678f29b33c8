import { useQuery } from '@tanstack/react-query';
import { api, listItems, type Unit } from '../api.ts';

/** Reads all units of a project in their order. */
export function useProjectUnits(projectId: string | null) {
  return useQuery({
    queryKey: ['unit', 'of-project', projectId],
    queryFn: () => readProjectUnits(projectId ?? ''),
    enabled: projectId !== null,
  });
}

export async function readProjectUnits(projectId: string): Promise<Unit[]> {
  const params = { path: { projectId }, query: { limit: 500 } };
  return Array.fromAsync(listItems(api, '/stock/projects/{projectId}/units', { params }));
}
