/** The frame of every page: navigation, who is signed in, and the place of the page. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { isConfined, mayListSources } from '../api/is-confined';
import { leaveWatch } from './leave-watch';
import { AUDIT, QUERIES, SOURCES, STATUS, TOKENS } from './links';
import { useSession } from './session';

interface Entry {
  readonly label: string;
  readonly to: string;
  readonly isShown: boolean;
}

export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const { own, may, signOut } = useSession();
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);

  // A new page is announced and starts at its top, as a document would.
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [location]);

  const entries: readonly Entry[] = [
    { label: 'Saved queries', to: QUERIES, isShown: true },
    { label: 'Sources', to: SOURCES, isShown: mayListSources(own) || may('ingest') },
    { label: 'Tokens', to: TOKENS, isShown: may('tokens:admin') },
    { label: 'Audit', to: AUDIT, isShown: may('tokens:admin') && !isConfined(own) },
    { label: 'Status', to: STATUS, isShown: true },
  ];
  return (
    <div className="shell">
      <a
        className="skip"
        href="#page"
        onClick={(event) => {
          // The fragment may hold a part of the state.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the page
      </a>
      <header className="bar">
        <Link className="brand" href={QUERIES}>
          Log Query Endpoints
        </Link>
        <nav aria-label="Pages">
          {entries.map(({ label, to, isShown }) =>
            isShown ? (
              <Link key={to} href={to} aria-current={location.startsWith(to) ? 'page' : undefined}>
                {label}
              </Link>
            ) : null
          )}
        </nav>
        <div className="who">
          <span className="name" title={`${own.name}, scopes: ${own.scopes.join(', ')}`}>
            {own.name}
          </span>
          <button type="button" onClick={() => leaveWatch.leave(signOut)}>
            Sign out
          </button>
        </div>
      </header>
      <main id="page" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
