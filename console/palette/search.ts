import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unlessGone, type Contact, type Project, type Unit } from '../api.ts';
import { LAST_ITEMS, LEAD_ITEMS, MAIN_ITEMS } from '../frame/navigation.tsx';
import { PAGES } from '../pages.ts';
import { nameContact } from '../parts/domain/contact-name.ts';
import { findName, fold, PROJECTS } from '../parts/domain/names.ts';
import { useSession } from '../session/session.tsx';
import { listActions } from './actions.ts';
import { texts } from './texts.ts';

export interface Hit {
  /** The address below the account, or the action of the page. */
  to: string | (() => void);
  group: string;
  label: string;
  detail?: string;
}

/** The pages of the navigation, and the others that have no id in their address. */
const PAGE_ITEMS = [
  ...MAIN_ITEMS,
  ...LEAD_ITEMS,
  ...LAST_ITEMS,
  ...PAGES.map(({ path, ...page }) => ({ to: path, ...page })),
].filter(
  ({ to, title }, at, all) =>
    !to.includes(':') && all.findIndex((other) => other.title === title) === at,
);

const FOUND_MAX_COUNT = 6;
/** The most projects that the service filters by. */
const PROJECTS_MAX_COUNT = 100;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Finds contacts, units, projects, actions of the open page and pages for a text; an id finds its row. The service gets `asked`,
 * the debounced value of `text`. `isSearching` says that its answer for `text` has not come yet: until then, the hits are those of
 * the page, and the ones of an earlier text that also match this one.
 */
export function useSearch(text: string, asked: string): { hits: Hit[]; isSearching: boolean } {
  const { can } = useSession();
  const { data: projects = [], isLoading: areProjectsLoading } = useQuery(PROJECTS);
  const [actions] = useState(listActions);
  const {
    data = [],
    isPending,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['contact', 'palette', asked],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all([
        can('contacts:read') ? findContacts(asked, signal) : [],
        can('projects:read') ? findUnits(asked, projects, signal) : [],
      ]);
      return lists.flat();
    },
    // Units are also found by the name of their project, so wait for the projects.
    enabled: asked.length >= 2 && !areProjectsLoading,
    placeholderData: (before) => before,
  });
  const isFitting = (name: string): boolean => fold(name).includes(fold(text));
  const isAsked = text.length >= 2;
  const isEarlier = isPlaceholderData || asked !== text;
  const found = isEarlier ? data.filter(({ label }) => isFitting(label)) : data;
  const rows: Hit[] = [
    ...(isAsked ? found : []),
    ...projects
      .filter(({ id, name = '' }) => text !== '' && (isFitting(name) || id === text))
      .slice(0, FOUND_MAX_COUNT)
      .map(({ id, name = '' }) => ({
        to: `/stock/projects/${id}`,
        group: texts.projects,
        label: name,
      })),
    ...PAGE_ITEMS.filter(
      ({ title, scope }) => (scope === undefined || can(scope)) && isFitting(title),
    ).map(({ to, title }) => ({ to, group: texts.pages, label: title })),
  ];
  const hasWord = ({ label }: Hit): boolean => ` ${fold(label)}`.includes(` ${fold(text)}`);
  const hits = [
    // A contact may fit only by its email.
    ...rows.filter(hasWord),
    ...rows.filter((row) => !hasWord(row)),
    // Actions come after pages: an Enter that opens the wrong page changes nothing.
    ...actions
      .filter(({ label }) => isFitting(label))
      .map(({ label, run }) => ({ to: run, group: texts.actions, label })),
  ];
  return { hits, isSearching: isAsked && (isEarlier || isPending) };
}

async function findContacts(text: string, signal: AbortSignal): Promise<Hit[]> {
  const toHit = (contact: Contact): Hit => ({
    to: `/contacts/${contact.id}`,
    group: texts.contacts,
    label: nameContact(contact),
    detail: [contact.stage, contact.email].filter(Boolean).join(' · '),
  });
  if (UUID.test(text)) {
    const path = { contactId: text };
    const found = await unlessGone(api.GET('/contacts/{contactId}', { params: { path }, signal }));
    return found === undefined ? [] : [toHit(found.data)];
  }
  const query = { q: text, limit: FOUND_MAX_COUNT, sort: '-lastActivityAt' } as const;
  const { data } = await api.GET('/contacts', { params: { query }, signal });
  return data.data.map(toHit);
}

async function findUnits(
  text: string,
  projects: readonly Project[],
  signal: AbortSignal,
): Promise<Hit[]> {
  const toHit = (unit: Unit): Hit => ({
    to: `/stock?unit=${unit.id}`,
    group: texts.units,
    label: unit.name ?? '',
    detail: [findName(projects, unit.projectId, ''), unit.status].filter(Boolean).join(' · '),
  });
  const read = async (query: UnitQuery): Promise<Unit[]> =>
    (await api.GET('/stock/units', { params: { query }, signal })).data.data;
  if (UUID.test(text)) return (await read({ unit: text })).map(toHit);
  const found = await read({ q: text, limit: FOUND_MAX_COUNT });
  const inProject = found.length === 0 && findProjectOf(text, projects);
  return (inProject ? await read({ ...inProject, limit: FOUND_MAX_COUNT }) : found).map(toHit);
}

interface UnitQuery {
  unit?: string;
  q?: string;
  project?: string;
  limit?: number;
}

/** Reads "lakefold 12" as the unit 12 of the projects with the word Lakefold. Returns undefined for a text that names no project. */
function findProjectOf(text: string, projects: readonly Project[]): UnitQuery | undefined {
  const words = fold(text).split(/[\s,]+/);
  const isOf = ({ name = '' }: Project, word: string): boolean =>
    /^\D/.test(word) && ` ${fold(name)}`.includes(` ${word}`);
  const named = projects.filter((project) => words.some((word) => isOf(project, word)));
  const q = words.filter((word) => !named.some((project) => isOf(project, word))).join(' ');
  if (named.length === 0 || q === '') return undefined;
  const ids = named.slice(0, PROJECTS_MAX_COUNT).map(({ id }) => id);
  return { q, project: ids.join(',') };
}
