import type { Contact } from '../api.ts';
import { Button, ButtonLink } from '../parts/button/button.tsx';
import { keepFocus } from '../parts/keyboard/keep-focus.ts';
import { Notice } from '../parts/message/notice.tsx';
import { formatDay } from '../parts/text/format.ts';
import { useSession } from '../session/session.tsx';
import { useSharing } from './queries.ts';
import { texts } from './texts.ts';

/** Shows that a contact is archived, or that other contacts have the same email. */
export function Banners({
  contact,
  onRestore,
}: {
  contact: Contact;
  onRestore: (() => void) | undefined;
}) {
  const { can } = useSession();
  const others = useSharing(contact);
  return (
    <>
      {contact.archivedAt != null && (
        <Notice
          title={texts.archivedBanner(formatDay(contact.archivedAt))}
          actions={
            onRestore !== undefined && (
              <Button ref={keepFocus} onClick={onRestore}>
                {texts.restore}
              </Button>
            )
          }
        >
          {texts.archivedExplain}
        </Notice>
      )}
      {others.length > 0 && (
        <Notice
          look="warning"
          title={others.length === 1 ? texts.sharedTitle : texts.sharedTitleMany(others.length)}
          actions={
            can('contacts:manage') && (
              <ButtonLink
                to={`/duplicates?email=${encodeURIComponent(contact.email.toLowerCase())}`}
              >
                {texts.sharedLink}
              </ButtonLink>
            )
          }
        >
          {texts.sharedExplain}
          {!can('contacts:manage') && ` ${texts.sharedAsk}`}
        </Notice>
      )}
    </>
  );
}
