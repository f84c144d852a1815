/** A record or list as a tree that opens level by level. */
import { type ReactNode, useState } from 'react';
import type { ResultField } from '#contract/queries/result';
import type { Value } from '../../api/run-query';
import { isNested, millisOf, plainText, formatTime } from './format-value';
import { ValueActions } from './value-actions';
import { ValueText } from './value-text';

/** Metadata is lists of records in one another. */
const OPEN_DEPTH = 6;
/** Longer lists show their first elements, and offer the rest. */
const SHOWN = 100;
/** Longer texts show their beginning, and offer the rest: a browser takes seconds to lay out a megabyte. */
const SHOWN_CHARACTERS = 5_000;

interface ValueTreeProps {
  readonly value: Value;
  readonly isOpen?: boolean;
  /** Columns of a row: those of type TIMESTAMP are shown as times, too. */
  readonly columns?: readonly ResultField[];
}

export function ValueTree({ value, isOpen = true, columns = [] }: ValueTreeProps): ReactNode {
  const branch = { isOpen, depth: 0, path: [], columns };
  return <div className="tree">{isNested(value) ? <Branch value={value} {...branch} /> : <Leaf value={value} />}</div>;
}

interface BranchProps {
  readonly value: readonly Value[] | { readonly [name: string]: Value };
  readonly isOpen: boolean;
  readonly depth: number;
  /** Names from the row on, without positions in lists. */
  readonly path: readonly string[];
  readonly columns?: readonly ResultField[];
}

function Branch({ value, isOpen, depth, path, columns = [] }: BranchProps): ReactNode {
  const [shown, setShown] = useState(SHOWN);
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  if (entries.length === 0) return <span className="none">{isList ? '[ ]' : '{ }'}</span>;
  return (
    <ul>
      {entries.slice(0, shown).map(([name, child]) => {
        const below = isList ? path : [...path, name];
        return isNested(child) ? (
          <li key={name}>
            <Folded name={name} value={child} isOpen={isOpen && depth < OPEN_DEPTH} depth={depth + 1} path={below} />
          </li>
        ) : (
          <Field
            key={name}
            name={name}
            value={child}
            path={below}
            type={columns.find((column) => column.name === name)?.type}
          />
        );
      })}
      {entries.length > shown && (
        <li>
          <button type="button" onClick={() => setShown(shown + SHOWN)}>
            {(entries.length - shown).toLocaleString()} more
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
        <span className="name">
          <ValueText text={name} />
        </span>{' '}
        <span className="none">{size}</span>
      </summary>
      {isOpen && <Branch {...branch} />}
    </details>
  );
}

interface FieldProps {
  readonly name: string;
  readonly value: Value;
  readonly path: readonly string[];
  /** Undefined: not known. */
  readonly type: string | undefined;
}

/** A name with its value. What can be done with the value appears under the pointer, or by the button. */
function Field({ name, value, path, type }: FieldProps): ReactNode {
  const [isUnderPointer, setUnderPointer] = useState(false);
  const [isChosen, setChosen] = useState(false);
  return (
    <li onMouseEnter={() => setUnderPointer(true)} onMouseLeave={() => setUnderPointer(false)}>
      <button
        type="button"
        className="name"
        aria-expanded={isChosen}
        title={`What can be done with ${path.join('.')}`}
        onClick={() => setChosen(!isChosen)}
      >
        <ValueText text={name} />
      </button>{' '}
      <Leaf value={value} />
      {type === 'TIMESTAMP' && <LocalTime value={value} />}
      {(isUnderPointer || isChosen) && <ValueActions path={path} value={value} />}
    </li>
  );
}

function LocalTime({ value }: { readonly value: Value }): ReactNode {
  const millis = millisOf(value, 'TIMESTAMP');
  return millis === null ? null : <span className="none"> {formatTime(millis)}</span>;
}

function Leaf({ value }: { readonly value: Value }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  if (value === null) return <span className="none">NULL</span>;
  const text = plainText(value);
  if (isWhole || text.length <= SHOWN_CHARACTERS)
    return (
      <span className={typeof value}>
        <ValueText text={text} />
      </span>
    );
  return (
    <>
      <span className={typeof value}>
        <ValueText text={text.slice(0, SHOWN_CHARACTERS)} />…
      </span>{' '}
      <button type="button" onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString()} characters
      </button>
    </>
  );
}
