import type { Scope } from '../api.ts';
import { SCOPE_TEXTS } from './texts.ts';

export const SCOPES = Object.keys(SCOPE_TEXTS) as Scope[];

/** The ready choices of what a key is for. */
export const PRESETS = {
  reads: ['stock:read'],
  leads: ['stock:read', 'leads:import'],
  own: [],
} as const satisfies Record<string, Scope[]>;
export type Preset = keyof typeof PRESETS;

/** Says in words what a key may do. A scope that another one includes is left out. */
export function describeScopes(scopes: readonly Scope[]): string {
  const isIncluded = (scope: Scope): boolean =>
    scope.endsWith(':read') && scopes.includes(scope.replace(/read$/, 'write') as Scope);
  const words = SCOPES.filter((scope) => scopes.includes(scope) && !isIncluded(scope)).map(
    (scope) => SCOPE_TEXTS[scope],
  );
  return words.join(', ');
}

/** Makes a command that shows that a key works: it does what the key is for, and changes nothing that is there. */
export function makeCommand(apiUrl: string, key: string, scopes: readonly Scope[]): string {
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  if (scopes.includes('leads:import'))
    return `curl '${apiUrl}/contacts?dryRun=true' ${authorization} -H 'Content-Type: application/json' -d '{ "email": "ana@example.com", "name": "Ana Kaur" }'`;
  const path = scopes.includes('stock:read') ? '/stocklist?limit=1' : '/me';
  return `curl '${apiUrl}${path}' ${authorization}`;
}
