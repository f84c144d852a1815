/** The title of the window, by the page. */
import { useEffect } from 'react';

const PRODUCT = 'Log Query Endpoints';

export function useTitle(page: string): void {
  useEffect(() => {
    document.title = `${page} · ${PRODUCT}`;
    return () => {
      document.title = PRODUCT;
    };
  }, [page]);
}
