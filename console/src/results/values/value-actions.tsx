/** Filter for a value, filter it out, copy it. */
import type { ReactNode } from 'react';
import { leafOf } from '#compiler/browser';
import type { Value } from '../../api/run-query';
import { CopyButton } from '../../parts/copy-button';
import { type FieldValue, isFieldValue, useResultActions } from '../result-actions';
import { plainText } from './format-value';

interface ValueActionsProps {
  /** Column and fields below it, without positions in lists. */
  readonly path: readonly string[];
  readonly value: Value;
}

export function ValueActions({ path, value }: ValueActionsProps): ReactNode {
  const { columns, onFilter } = useResultActions();
  const name = path.join('.');
  const [column = '', ...names] = path;
  const type = columns.find((each) => each.name === column)?.type;
  const canFilter =
    onFilter !== undefined && isFieldValue(value) && type !== undefined && leafOf(type, names) !== undefined;
  const filter = (isNegated: boolean): void => onFilter?.(path, value as FieldValue, isNegated);
  return (
    <span className="value-actions" role="group" aria-label={`Value of ${name}`}>
      {canFilter && (
        <>
          <button type="button" title="Only rows with this value" onClick={() => filter(false)}>
            Filter for
          </button>
          <button type="button" title="Only rows without this value" onClick={() => filter(true)}>
            Filter out
          </button>
        </>
      )}
      <CopyButton text={() => plainText(value)} />
    </span>
  );
}
