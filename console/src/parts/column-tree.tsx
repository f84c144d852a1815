/** Columns with their types; those with fields unfold. Names of fields are those of events. */
import { type ReactNode, useState } from 'react';
import type { DescribedColumn } from '#contract/queries/description';
import { formatCount } from '../results/values/format-value';
import { ValueText } from '../results/values/value-text';

interface ColumnTreeProps {
  readonly columns: readonly DescribedColumn[];
  /** Path of the columns. */
  readonly path?: readonly string[];
  /** What else is known of a column or a field. */
  readonly noteOf?: (path: readonly string[]) => ReactNode;
  /** Whether the fields of these columns are shown at first, unless there are many. */
  readonly isOpen?: boolean;
}

export function ColumnTree({ columns, path = [], noteOf, isOpen = false }: ColumnTreeProps): ReactNode {
  const props = noteOf ? { noteOf } : {};
  return (
    <ul className="columns">
      {columns.map((column) => (
        <li key={column.name}>
          {column.fields === undefined ? (
            <>
              <Name of={column.name} /> <span className="soft">{column.type}</span> {noteOf?.([...path, column.name])}
            </>
          ) : (
            <Nested
              {...props}
              name={column.name}
              columns={column.fields}
              path={[...path, column.name]}
              isOpen={isOpen && column.fields.length <= MAX_SHOWN}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Senders may have brought thousands of fields. */
const MAX_SHOWN = 100;

function Nested({ name, columns, path = [], noteOf, isOpen = false }: ColumnTreeProps & { readonly name: string }) {
  const [isShown, setShown] = useState(isOpen);
  return (
    <details open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        <Name of={name} /> <span className="soft">{formatCount(columns.length, 'field')}</span> {noteOf?.(path)}
      </summary>
      {isShown && <ColumnTree columns={columns} path={path} {...(noteOf && { noteOf })} />}
    </details>
  );
}

function Name({ of }: { readonly of: string }): ReactNode {
  return (
    <code>
      <ValueText text={of} />
    </code>
  );
}
