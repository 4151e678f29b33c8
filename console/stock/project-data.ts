import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ifMatch, type Project } from '../api.ts';
import { toAuthor } from '../parts/edit/conflict.ts';

export type ProjectChange = Partial<Project>;

export const projectKey = (id: string) => ['project', 'one', id] as const;

/** The query that reads a project. */
export const projectQuery = (id: string) => ({
  queryKey: projectKey(id),
  queryFn: async () => {
    const params = { path: { projectId: id } };
    return (await api.GET('/stock/projects/{projectId}', { params })).data;
  },
});

/** Reads a project. */
export const useProject = (id: string) => useQuery(projectQuery(id));

/** Sends changes of a project with the version that the person saw. */
export async function sendProject(id: string, change: object, etag: string): Promise<Project> {
  const params = { path: { projectId: id }, header: ifMatch(etag) };
  return (await api.PATCH('/stock/projects/{projectId}', { params, body: change })).data;
}

/** Finds who changed one of these fields of a project last. */
export async function findLastProjectChange(id: string, fields: readonly string[]) {
  const params = { path: { projectId: id }, query: { limit: 1, field: fields.join(',') } };
  const { data } = await api.GET('/stock/projects/{projectId}/changes', { params });
  return toAuthor(data.data[0]);
}

/** Returns a function that puts a changed project into the cache, and refetches the lists. */
export function useShowProject() {
  const queries = useQueryClient();
  return (project: Project): void => {
    queries.setQueryData(projectKey(project.id), project);
    void queries.invalidateQueries({ queryKey: ['project', 'all'] });
    void queries.invalidateQueries({ queryKey: ['project', 'list'] });
  };
}
