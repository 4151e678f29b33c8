import { Link } from 'wouter';
import { useAddress } from '../browser/address.ts';
import './tabs.css';

export interface Tab {
  id: string;
  title: string;
}

/** Tabs as links. The address has the open tab, so that Back and a reload keep it. */
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
