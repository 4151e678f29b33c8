import { onlineManager } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { probeService } from '../api.ts';
import { Icon } from '../parts/button/icon.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { AccountMenu } from './account-menu.tsx';
import {
  isOpen,
  LAST_ITEMS,
  LEAD_ITEMS,
  MAIN_ITEMS,
  NavigationList,
  useAllowed,
  useHasPageData,
  useLeadCounts,
} from './navigation.tsx';
import { KeysHost } from './keys-host.tsx';
import { openPalette, Palette, PaletteHost } from './palette-host.tsx';
import { texts } from './texts.ts';
import { useShortcuts } from './shortcuts.ts';
import './frame.css';

const ASK_EVERY_MS = 3_000;

/** The frame of each page: the navigation on the left, or a bar at the bottom of a phone. */
export function Frame({ children }: { children: ReactNode }) {
  const main = useAllowed(MAIN_ITEMS);
  const leads = useAllowed(LEAD_ITEMS);
  const last = useAllowed(LAST_ITEMS);
  useShortcuts([...main, ...leads]);
  const hasPageData = useHasPageData();
  const counts = useLeadCounts(hasPageData);
  useEffect(() => {
    // A person types right after Ctrl K: without the palette, the page would take the letters for shortcuts.
    if (hasPageData) Palette.preload();
  }, [hasPageData]);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [path] = useLocation();
  return (
    <div className="frame">
      <a className="frame-skip screen-only" href="#page">
        {texts.skip}
      </a>
      <nav className="navigation screen-only" aria-label={texts.navigation}>
        <AccountMenu />
        <NavigationList items={main} />
        {leads.length > 0 && <p className="navigation-head">{texts.leads}</p>}
        <NavigationList items={leads} counts={counts} />
        <NavigationList items={last} />
        <button type="button" className="navigation-link navigation-search" onClick={openPalette}>
          <Icon name="search" />
          {texts.search}
          <kbd className="keys-only">Ctrl K</kbd>
        </button>
      </nav>
      <main className="frame-page" id="page">
        <OfflineBar />
        {children}
      </main>
      <nav className="bar screen-only" aria-label={texts.navigation}>
        <NavigationList items={main} />
        <button
          type="button"
          className="navigation-link"
          aria-current={main.every(({ to }) => !isOpen(path, to)) || undefined}
          onClick={() => setMoreOpen(true)}
        >
          <Icon name="more" />
          {texts.more}
        </button>
      </nav>
      {isMoreOpen && (
        <Dialog title={texts.more} onClose={() => setMoreOpen(false)}>
          <AccountMenu />
          <NavigationList
            items={[...leads, ...last]}
            counts={counts}
            onFollow={() => setMoreOpen(false)}
          />
          <button
            type="button"
            className="navigation-link"
            onClick={() => {
              setMoreOpen(false);
              openPalette();
            }}
          >
            <Icon name="search" />
            {texts.search}
          </button>
        </Dialog>
      )}
      <PaletteHost />
      <KeysHost />
    </div>
  );
}

const subscribeOnline = (listener: () => void) => onlineManager.subscribe(listener);

/**
 * Says that the service cannot be reached, and asks until it can be. Only one tab follows the events, so it lets the other tabs ask,
 * too: one that is idle sends no request of its own.
 */
function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribeOnline, () => onlineManager.isOnline());
  useEffect(() => {
    const tabs = new BroadcastChannel('offplan-offline');
    tabs.addEventListener('message', probeService);
    if (!isOnline) tabs.postMessage(null);
    const timer = isOnline ? undefined : setInterval(probeService, ASK_EVERY_MS);
    return () => {
      tabs.close();
      clearInterval(timer);
    };
  }, [isOnline]);
  return (
    <div role="status" className="screen-only">
      {!isOnline && <p className="frame-offline">{texts.offline}</p>}
    </div>
  );
}
