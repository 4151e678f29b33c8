import { Link } from 'wouter';
import { useAddress } from './address.ts';
import './tabs.css';

export interface Tab {
  id: string;
  title: string;
}

/** The parts of a page as links: the one that is shown is in the address, so that Back and a reload keep it. */
export function Tabs({
  label,
  tabs,
  chosen,
  name = 'tab',
}: {
  label: string;
  tabs: readonly Tab[];
  chosen: string;
  /** The parameter of the address. */
  name?: string;
}) {
  const { path } = useAddress();
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ id, title }) => (
        <Link
          key={id}
          href={`${path}?${new URLSearchParams({ [name]: id }).toString()}`}
          className="tabs-tab"
          aria-current={id === chosen ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
