import type { Organization } from '../api.ts';
import { pageTitles } from '../frame/texts.ts';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { useSession } from '../session/session.tsx';
import { SettingsPage } from '../settings/settings-page.tsx';
import { SECTIONS } from './fields.ts';
import { Logo } from './logo.tsx';
import { useOrganization } from './organization.ts';
import { SettingSection } from './setting-section.tsx';
import { texts } from './texts.ts';
import './organization.css';

/** The page of the account's settings. Owners change them, others read them. */
export function OrganizationPage() {
  const { data: organization, error, refetch } = useOrganization();
  return (
    <SettingsPage title={pageTitles.account}>
      {organization !== undefined && <Sections organization={organization} />}
      {organization === undefined && error !== null && (
        <LoadError error={error} onRetry={() => void refetch()} />
      )}
      {organization === undefined && error === null && <Skeleton lines={8} />}
    </SettingsPage>
  );
}

function Sections({ organization }: { organization: Organization }) {
  const { me } = useSession();
  const isOwner = me.role === 'owner';
  return (
    <div className="organization">
      {!isOwner && <p className="soft">{texts.ownersOnly}</p>}
      {SECTIONS.map((section) => (
        <SettingSection
          key={section.id}
          section={section}
          organization={organization}
          isOwner={isOwner}
        />
      ))}
      <Logo organization={organization} isOwner={isOwner} />
    </div>
  );
}
