import { useRef, type MouseEvent, type ReactNode } from 'react';
import { api } from '../../api.ts';
import { showToast } from '../message/toast.tsx';
import { describeProblem } from '../text/problem-texts.ts';
import { Icon } from './icon.tsx';

/**
 * A link that downloads a file of the API. The browser would not say why a download was refused. So the link first asks for the
 * session, which may ask the person to sign in.
 */
export function DownloadLink({ url, children }: { url: string; children: ReactNode }) {
  const isChecked = useRef(false);

  async function check(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
    const link = event.currentTarget;
    if (isChecked.current) return;
    event.preventDefault();
    try {
      await api.GET('/me');
      isChecked.current = true;
      link.click();
    } catch (error) {
      showToast({ text: describeProblem(error), look: 'error' });
    } finally {
      isChecked.current = false;
    }
  }

  return (
    <a className="button button-plain" href={url} download onClick={(event) => void check(event)}>
      <Icon name="download" />
      {children}
    </a>
  );
}
