import { useEffect } from 'react';

/** Calls again and again while the page is visible. @param again null: not now */
export function useAgain(again: (() => void) | null, periodMs: number): void {
  useEffect(() => {
    if (again === null) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, periodMs);
    return () => clearInterval(timer);
  }, [again, periodMs]);
}
