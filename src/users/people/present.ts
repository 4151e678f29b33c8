import { formatEtag } from '../../platform/http/index.ts';
import type { StoredPerson } from './store.ts';
import type { Person } from './schemas.ts';

/** Presents a person as the API shows them. */
export function presentPerson({
  id,
  email,
  name,
  role,
  active,
  secondStep,
  signedInAt,
  invitedUntil,
  createdAt,
  updatedAt,
  version,
}: StoredPerson): Person {
  return {
    id,
    email,
    name,
    role,
    active,
    secondStep,
    signedInAt: signedInAt?.toISOString() ?? null,
    invitedUntil: invitedUntil?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    etag: formatEtag(version),
  };
}
