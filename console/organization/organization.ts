import { useQuery } from '@tanstack/react-query';
import { api, ifMatch, type Organization } from '../api.ts';
import { useEdits } from '../parts/edit/edit.ts';
import { toAuthor } from '../parts/edit/conflict.ts';
import { useReadAgain } from '../session/session.tsx';
import { showSetting } from './fields.ts';
import { texts } from './texts.ts';

/** The key of the settings in the cache. */
export const ORGANIZATION_KEY = ['organization'];

export type OrganizationChange = Partial<Omit<Organization, 'id' | 'slug' | 'etag'>>;

export const useOrganization = () =>
  useQuery({
    queryKey: ORGANIZATION_KEY,
    queryFn: async () => (await api.GET('/organization', {})).data,
  });

/** Saves settings with the version that the person saw. Two who change the same setting see both values. */
export function useOrganizationEdits() {
  const readAgain = useReadAgain();
  return useEdits<Organization, OrganizationChange>({
    queryKey: ORGANIZATION_KEY,
    send: async ({ logoImage, ...change }, etag) => {
      const { data } = await api.PATCH('/organization', {
        headers: ifMatch(etag),
        body: {
          ...change,
          ...(logoImage !== undefined && { logoImage: logoImage && { key: logoImage.key } }),
        },
      });
      // The name, the time zone and the currency are everywhere.
      void readAgain();
      return data;
    },
    explain: (change, current) =>
      namesOf(change).map((name) => ({
        label: texts.labels[name],
        theirs: show(name, current),
        mine: show(name, change),
      })),
    findLastChange: async (change) => {
      const { data } = await api.GET('/changes', {
        params: {
          query: { subjectType: 'organization', field: namesOf(change).join(','), limit: 1 },
        },
      });
      return toAuthor(data.data[0]);
    },
  });
}

type ChangedName = keyof typeof texts.labels;
const namesOf = (change: OrganizationChange) => Object.keys(change) as ChangedName[];

const show = (name: ChangedName, value: Partial<Organization>): string =>
  name === 'logoImage' ? (value.logoImage?.key ?? '') : showSetting(name, value);
