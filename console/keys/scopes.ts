import type { Scope } from '../api.ts';
import { SCOPE_TEXTS } from './texts.ts';

export const SCOPES = Object.keys(SCOPE_TEXTS) as Scope[];

/** Sets of scopes for common purposes of a key. */
export const PRESETS = {
  reads: ['stock:read'],
  leads: ['stock:read', 'leads:import'],
  own: [],
} as const satisfies Record<string, Scope[]>;
export type Preset = keyof typeof PRESETS;

/** Describes in words what a key may do. It leaves out scopes that another one includes. */
export function describeScopes(scopes: readonly Scope[]): string {
  const isIncluded = (scope: Scope): boolean =>
    scope.endsWith(':read') && scopes.includes(scope.replace(/read$/, 'write') as Scope);
  const words = SCOPES.filter((scope) => scopes.includes(scope) && !isIncluded(scope)).map(
    (scope) => SCOPE_TEXTS[scope],
  );
  return words.join(', ');
}

/** Makes a shell command that tries a key. The command uses what the key is for, and changes no existing data. */
export function makeCommand(apiUrl: string, key: string, scopes: readonly Scope[]): string {
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  if (scopes.includes('leads:import'))
    return `curl '${apiUrl}/contacts?dryRun=true' ${authorization} -H 'Content-Type: application/json' -d '{ "email": "ana@example.com", "name": "Ana Kaur" }'`;
  const path = scopes.includes('stock:read') ? '/stocklist?limit=1' : '/me';
  return `curl '${apiUrl}${path}' ${authorization}`;
}
