/** What a printed result leaves out; on paper alone. */
import type { ReactNode } from 'react';
import { MAX_PRINTED_ROWS } from './use-printed-rows';

export function PrintedNote({ count }: { readonly count: number }): ReactNode {
  if (count <= MAX_PRINTED_ROWS) return null;
  return (
    <p className="printed">
      Printed are the first {MAX_PRINTED_ROWS.toLocaleString()} of {count.toLocaleString()} rows.
    </p>
  );
}
