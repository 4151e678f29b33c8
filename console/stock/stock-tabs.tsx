import { Link } from 'wouter';
import { stockTexts as texts } from './stock-texts.ts';
import '../parts/page/tabs.css';

/** The two pages of the stock: all units, and the projects. */
export function StockTabs({ chosen }: { chosen: 'units' | 'projects' }) {
  const tabs = [
    { id: 'units', to: '/stock', title: texts.units },
    { id: 'projects', to: '/stock/projects', title: texts.projects },
  ];
  return (
    <nav className="tabs" aria-label={texts.stock}>
      {tabs.map(({ id, to, title }) => (
        <Link
          key={id}
          href={to}
          className="tabs-tab"
          aria-current={id === chosen ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
