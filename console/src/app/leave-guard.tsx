/** Asks before a page with unsaved changes is left: by a link, by going back or forward, or by signing out. */
import { leaveWatch } from './leave-watch';
import { type ReactNode, useCallback, useEffect, useId, useState } from 'react';
import { type AroundNavHandler, Router } from 'wouter';
import { pageAddress } from './page-address';
import { Dialog } from '../parts/dialog';

/**
 * @param what would be lost, for the dialog; null: nothing
 * @returns says that nothing would be lost any more, before the page is drawn again
 */
export function useUnsaved(what: string | null): () => void {
  const part = useId();
  useEffect(() => {
    leaveWatch.protect(part, what);
    return () => leaveWatch.protect(part, null);
  }, [part, what]);
  return useCallback(() => leaveWatch.protect(part, null), [part]);
}

const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const { pathname } = new URL(to, window.location.href);
  const go = (): void => navigate(to, options);
  if (options?.replace === true && pathname === window.location.pathname) {
    pageAddress.replace(to, go);
    return;
  }
  pageAddress.writeNow();
  if (leaveWatch.isHere(pathname)) go();
  else leaveWatch.leave(go);
};

export function LeaveGuard({ children }: { readonly children: ReactNode }): ReactNode {
  const [asked, setAsked] = useState<{ readonly go: () => void; readonly what: string } | null>(null);
  useEffect(() => leaveWatch.onQuestion(setAsked), []);
  return (
    <>
      <Router aroundNav={aroundNav}>{children}</Router>
      {asked && (
        <Dialog title="Leave this page?" onClose={() => setAsked(null)}>
          <p>{asked.what}</p>
          <p className="actions">
            <button type="button" className="main" onClick={() => setAsked(null)}>
              Stay on this page
            </button>
            <button
              type="button"
              onClick={() => {
                setAsked(null);
                asked.go();
              }}
            >
              Leave the page
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}
