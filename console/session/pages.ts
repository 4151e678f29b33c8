import type { ComponentType } from 'react';
import { lazyPage } from '../parts/page/page-states.tsx';

/** A person who is signed in needs no script of it. */
export const SignIn = lazyPage(() => import('./sign-in.tsx'));
const OpenLink = lazyPage(() => import('./open-link.tsx'));

/** The addresses that need no session. */
export const SIGN_IN_PAGES: readonly { path: string; Page: ComponentType<{ slug: string }> }[] = [
  { path: '/sign-in', Page: SignIn },
  { path: '/start', Page: OpenLink },
  { path: '/invite', Page: OpenLink },
  { path: '/reset', Page: OpenLink },
];
