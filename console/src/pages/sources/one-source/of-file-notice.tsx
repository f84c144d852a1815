/** Where a source of a file is changed. */
import type { ReactNode } from 'react';

export function OfFileNotice(): ReactNode {
  return (
    <p className="notice">
      This source is declared in a file, and read only here: change <code>sources.yaml</code> of the server, then reload
      it (SIGHUP) or push it (<code>lqe catalog push</code>).
    </p>
  );
}
