/** Chooses which columns of a table are shown. */
import type { ReactNode } from 'react';
import type { ResultField } from '#contract/queries/result';
import { Menu } from '../../parts/menu';

interface ColumnChoiceProps {
  readonly columns: readonly ResultField[];
  readonly hidden: ReadonlySet<string>;
  readonly onChange: (hidden: ReadonlySet<string>) => void;
}

export function ColumnChoice({ columns, hidden, onChange }: ColumnChoiceProps): ReactNode {
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return (
    <Menu label={`Columns${hidden.size > 0 ? ` (${columns.length - hidden.size} of ${columns.length})` : ''}`}>
      <ul>
        {columns.map(({ name }) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} /> {name}
            </label>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
