import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { Button } from '../parts/button/button.tsx';
import { showToast } from '../parts/message/toast.tsx';
import { Card } from '../parts/page/card.tsx';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { formatAgoInSentence } from '../parts/text/format.ts';
import { describeProblem } from '../parts/text/problem-texts.ts';
import { describeBrowser } from './browser.ts';
import { texts } from './texts.ts';

const KEY = ['session', 'own'];

const listSessions = async () => (await api.GET('/me/sessions', {})).data.data;

/** The sessions of the person: the browsers in which they are signed in. */
export function Sessions() {
  const queries = useQueryClient();
  const {
    data: sessions,
    error,
    refetch,
  } = useQuery({
    queryKey: KEY,
    queryFn: listSessions,
    // Ask each time the page opens, because sessions make no events.
    staleTime: 0,
  });

  async function end(send: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await send();
      showToast({ text: done });
    } catch (refusal) {
      showToast({ text: describeProblem(refusal), look: 'error' });
    }
    await queries.invalidateQueries({ queryKey: KEY });
  }

  const endOne = (id: string) => () =>
    api.DELETE('/me/sessions/{id}', { params: { path: { id } } });
  const endOthers = () => api.DELETE('/me/sessions', {});
  const hasOthers = sessions !== undefined && sessions.length > 1;
  return (
    <Card
      title={texts.sessions}
      actions={
        hasOthers && (
          <Button onClick={() => void end(endOthers, texts.endedOthers)}>{texts.endOthers}</Button>
        )
      }
    >
      <p className="soft">{texts.sessionsExplain}</p>
      {error !== null && <LoadError error={error} onRetry={() => void refetch()} />}
      {sessions === undefined && error === null && <Skeleton />}
      <ul className="profile-sessions">
        {sessions?.map(({ id, userAgent, address, createdAt, seenAt, current }) => {
          const device = describeBrowser(userAgent);
          return (
            <li key={id}>
              <div>
                <p>{device}</p>
                <p className="soft">
                  {texts.signedIn(formatAgoInSentence(createdAt), address)} ·{' '}
                  {texts.seen(formatAgoInSentence(seenAt))}
                </p>
              </div>
              {current ? (
                <span>{texts.thisOne}</span>
              ) : (
                <Button
                  aria-label={texts.endName(device)}
                  onClick={() => void end(endOne(id), texts.ended)}
                >
                  {texts.end}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
