import { Link } from 'wouter';
import { Card } from '../parts/card.tsx';
import { nameContact } from '../parts/contact-name.ts';
import { formatAgo } from '../parts/format.ts';
import { Help } from '../parts/help.tsx';
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
