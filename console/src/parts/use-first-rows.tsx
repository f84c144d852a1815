/** The first rows of a long list, and a button for more: ten thousand rows would keep the browser busy for seconds. */
import { type ReactNode, useState } from 'react';

/** Rows that are drawn at once. */
const ROWS = 200;

interface FirstRows<Row> {
  readonly shown: readonly Row[];
  /** Null: all rows are shown. */
  readonly more: ReactNode;
}

export function useFirstRows<Row>(rows: readonly Row[]): FirstRows<Row> {
  const [limit, setLimit] = useState(ROWS);
  const more = rows.length > limit && (
    <p>
      <button type="button" onClick={() => setLimit(limit + ROWS)}>
        Show {Math.min(ROWS, rows.length - limit)} more
      </button>
    </p>
  );
  return { shown: rows.slice(0, limit), more };
}
