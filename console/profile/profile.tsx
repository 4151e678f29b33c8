import { pageTitles } from '../frame/texts.ts';
import { Page } from '../parts/page/page.tsx';
import { OnceDialog } from '../parts/dialog/once.tsx';
import { Keys } from './keys.tsx';
import { Password } from './password.tsx';
import { SecondStep } from './second-step.tsx';
import { Sessions } from './sessions.tsx';
import { Theme } from './theme.tsx';
import { You } from './you.tsx';
import './profile.css';

/** The page of what the person may change about themselves. */
export function Profile() {
  return (
    <Page title={pageTitles.profile}>
      <div className="profile">
        <You />
        <Theme />
        <Password />
        <SecondStep />
        <Sessions />
        <Keys />
      </div>
      <OnceDialog />
    </Page>
  );
}
