/** A record or list as a tree that opens level by level. */
import { type ReactNode, useState } from 'react';
import type { Value } from '../api/run-query';
import { isNested, plainText } from './say-value';

/** Metadata is lists of records in one another. */
const OPEN_DEPTH = 6;
/** Longer lists show their first elements, and offer the rest. */
const SHOWN = 100;

export function ValueTree({ value, isOpen = true }: { readonly value: Value; readonly isOpen?: boolean }): ReactNode {
  return (
    <div className="tree">
      {isNested(value) ? <Branch value={value} isOpen={isOpen} depth={0} /> : <Leaf value={value} />}
    </div>
  );
}

interface BranchProps {
  readonly value: readonly Value[] | { readonly [name: string]: Value };
  readonly isOpen: boolean;
  readonly depth: number;
}

function Branch({ value, isOpen, depth }: BranchProps): ReactNode {
  const [shown, setShown] = useState(SHOWN);
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="none">{Array.isArray(value) ? '[ ]' : '{ }'}</span>;
  return (
    <ul>
      {entries.slice(0, shown).map(([name, child]) => (
        <li key={name}>
          {isNested(child) ? (
            <Folded name={name} value={child} isOpen={isOpen && depth < OPEN_DEPTH} depth={depth + 1} />
          ) : (
            <>
              <span className="name">{name}</span> <Leaf value={child} />
            </>
          )}
        </li>
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" onClick={() => setShown(shown + SHOWN)}>
            {entries.length - shown} more
          </button>
        </li>
      )}
    </ul>
  );
}

function Folded({ name, ...branch }: BranchProps & { readonly name: string }): ReactNode {
  const [isOpen, setOpen] = useState(branch.isOpen);
  const { value } = branch;
  const size = Array.isArray(value) ? `[${value.length}]` : '';
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="name">{name}</span> <span className="none">{size}</span>
      </summary>
      {isOpen && <Branch {...branch} />}
    </details>
  );
}

function Leaf({ value }: { readonly value: Value }): ReactNode {
  if (value === null) return <span className="none">NULL</span>;
  return <span className={typeof value}>{plainText(value)}</span>;
}
