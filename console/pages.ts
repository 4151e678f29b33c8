import type { ComponentType } from 'react';
import type { Scope } from './api.ts';
import { pageTitles as titles } from './frame/texts.ts';
import { lazyPage } from './parts/page/page-states.tsx';

export interface PageEntry {
  /** The address below `/a/<slug>`, as wouter matches it. */
  path: string;
  title: string;
  /** A person without this scope sees a message that says whom to ask. */
  scope?: Scope;
  /** The page. `id` comes from the address, and is empty where the path has none. */
  Page: ComponentType<{ id: string }>;
}

/** The pages of the console. Each page is a folder of its own, and is loaded when a person first opens it. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    title: titles.home,
    scope: 'stats:read',
    Page: lazyPage(() => import('./home/index.ts')),
  },
  {
    path: '/stock',
    title: titles.stock,
    scope: 'projects:read',
    Page: lazyPage(() => import('./stock/index.ts')),
  },
  {
    path: '/contacts',
    title: titles.contacts,
    scope: 'contacts:read',
    Page: lazyPage(() => import('./contacts/index.ts')),
  },
  {
    path: '/stock/projects',
    title: titles.projects,
    scope: 'projects:read',
    Page: lazyPage(() => import('./projects/index.ts')),
  },
  {
    path: '/stock/projects/:id',
    title: titles.project,
    scope: 'projects:read',
    Page: lazyPage(() => import('./project/index.ts')),
  },
  {
    path: '/pipeline',
    title: titles.pipeline,
    scope: 'contacts:read',
    Page: lazyPage(() => import('./pipeline/index.ts')),
  },
  {
    path: '/audit',
    title: titles.audit,
    scope: 'audit:read',
    Page: lazyPage(() => import('./audit/index.ts')),
  },
  {
    path: '/settings/account',
    title: titles.account,
    scope: 'settings:read',
    Page: lazyPage(() => import('./organization/index.ts')),
  },
  {
    path: '/settings/people',
    title: titles.people,
    scope: 'users:read',
    Page: lazyPage(() => import('./people/index.ts')),
  },
  {
    path: '/settings/tags',
    title: titles.tags,
    scope: 'contacts:read',
    Page: lazyPage(() => import('./tags/index.ts')),
  },
  {
    path: '/settings/keys',
    title: titles.keys,
    scope: 'keys:write',
    Page: lazyPage(() => import('./keys/index.ts')),
  },
  {
    path: '/settings/webhooks',
    title: titles.webhooks,
    scope: 'webhooks:write',
    Page: lazyPage(() => import('./webhooks/index.ts')),
  },
  { path: '/profile', title: titles.profile, Page: lazyPage(() => import('./profile/index.ts')) },
  {
    path: '/import',
    title: titles.import,
    scope: 'contacts:manage',
    Page: lazyPage(() => import('./import/index.ts')),
  },
  {
    path: '/import/:id',
    title: titles.importFile,
    scope: 'contacts:manage',
    Page: lazyPage(() => import('./import/file.ts')),
  },
  {
    path: '/imports',
    title: titles.imports,
    scope: 'contacts:manage',
    Page: lazyPage(() => import('./import-log/index.ts')),
  },
  {
    path: '/contacts/:id',
    title: titles.contact,
    scope: 'contacts:read',
    Page: lazyPage(() => import('./contact/index.ts')),
  },
  {
    path: '/duplicates',
    title: titles.duplicates,
    scope: 'contacts:manage',
    Page: lazyPage(() => import('./duplicates/index.ts')),
  },
];
