import { Link } from 'wouter';
import { nameContact } from '../parts/domain/contact-name.ts';
import { Card } from '../parts/page/card.tsx';
import { Help } from '../parts/popup/help.tsx';
import { formatAgo } from '../parts/text/format.ts';
import { useSession } from '../session/session.tsx';
import { toProjectFilter, useWaiting } from './queries.ts';
import { texts } from './texts.ts';

const SHOWN_COUNT = 5;

/** The person's own contacts at the stage New, the oldest first. */
export function MyNext({ project }: { project: string | null }) {
  const { userId } = useSession();
  const { data } = useWaiting(userId, project, SHOWN_COUNT);
  const filter = {
    stage: 'New',
    assignedTo: userId,
    sort: 'createdAt',
    ...toProjectFilter(project),
  };
  return (
    <Card
      title={texts.myNext}
      help={<Help word={texts.myNext}>{texts.myNextHelp}</Help>}
      className="my-next-card"
    >
      {data?.contacts.length === 0 && <p>{texts.myNextEmpty}</p>}
      <ul className="my-next">
        {data?.contacts.map((contact) => (
          <li key={contact.id}>
            <Link href={`/contacts/${contact.id}`}>{nameContact(contact)}</Link>
            <span>{formatAgo(contact.createdAt)}</span>
          </li>
        ))}
      </ul>
      {data !== undefined && data.count > SHOWN_COUNT && (
        <Link href={`/contacts?${new URLSearchParams(filter)}`} className="my-next-all">
          {texts.myNextAll(data.count, data.isExact)}
        </Link>
      )}
    </Card>
  );
}
