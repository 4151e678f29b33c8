import { Page } from '../parts/page.tsx';
import { pageTitles } from '../frame/texts.ts';

export function Home() {
  return <Page title={pageTitles.home}>{null}</Page>;
}
