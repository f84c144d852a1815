/** Copies a row as JSON. */
import type { ReactNode } from 'react';
import type { Row } from '../api/run-query';
import { CopyButton } from '../parts/copy-button';

export function RowCopy({ row }: { readonly row: Row }): ReactNode {
  return <CopyButton label="Copy row" text={() => JSON.stringify(row, null, 2)} />;
}
