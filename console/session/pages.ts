import type { ComponentType } from 'react';
import { lazyPage } from '../parts/page/page-states.tsx';
import { SignIn } from './sign-in.tsx';

const OpenLink = lazyPage(() => import('./open-link.tsx'));

/** The addresses that need no session. */
export const SIGN_IN_PAGES: readonly { path: string; Page: ComponentType<{ slug: string }> }[] = [
  { path: '/sign-in', Page: SignIn },
  { path: '/start', Page: OpenLink },
  { path: '/invite', Page: OpenLink },
  { path: '/reset', Page: OpenLink },
];
