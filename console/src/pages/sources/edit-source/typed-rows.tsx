/** A list of names with their types: columns or fields. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { keysOf } from '#contract/records';
import type { FieldType, TypedRow } from './source-fields';

interface TypedRowsProps<Type extends FieldType> {
  readonly legend: string;
  readonly help: ReactNode;
  /** `column` or `field`, for the names of the controls. */
  readonly noun: string;
  readonly placeholder: string;
  /** Words by type. */
  readonly types: Readonly<Record<Type, string>>;
  readonly rows: ReadonlyArray<TypedRow<Type>>;
  /** @param name of a row */
  readonly problemOf: (name: string) => string | undefined;
  readonly onChange: (rows: ReadonlyArray<TypedRow<Type>>) => void;
}

export function TypedRows<Type extends FieldType>(props: TypedRowsProps<Type>): ReactNode {
  const { legend, help, noun, types, rows, problemOf, onChange } = props;
  const list = useRef<HTMLFieldSetElement>(null);
  const added = useRef(false);
  const [first] = keysOf(types);
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    list.current?.querySelector<HTMLInputElement>('.typed-row:last-of-type input')?.focus();
  }, [rows]);
  const change = (index: number, part: Partial<TypedRow<Type>>): void =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <fieldset ref={list}>
      <legend>{legend}</legend>
      <p className="soft">{help}</p>
      {rows.map((row, index) => (
        <TypedRowFields
          key={index}
          {...props}
          row={row}
          label={row.name === '' ? `${noun} ${index + 1}` : `${noun} ${row.name}`}
          // The second of two equal names is the one to change.
          problem={rows.findLastIndex(({ name }) => name === row.name) === index ? problemOf(row.name) : undefined}
          onRow={(part) => change(index, part)}
          onRemove={() => {
            onChange(rows.filter((_, at) => at !== index));
            list.current?.querySelector<HTMLElement>('.add')?.focus();
          }}
        />
      ))}
      <button
        type="button"
        className="add"
        onClick={() => {
          added.current = true;
          if (first !== undefined) onChange([...rows, { name: '', type: first }]);
        }}
      >
        Add a {noun}
      </button>
    </fieldset>
  );
}

interface TypedRowFieldsProps<Type extends FieldType> extends Pick<TypedRowsProps<Type>, 'placeholder' | 'types'> {
  readonly row: TypedRow<Type>;
  readonly label: string;
  readonly problem: string | undefined;
  readonly onRow: (part: Partial<TypedRow<Type>>) => void;
  readonly onRemove: () => void;
}

function TypedRowFields<Type extends FieldType>(props: TypedRowFieldsProps<Type>): ReactNode {
  const { row, label, placeholder, types, problem, onRow, onRemove } = props;
  const id = useId();
  return (
    <div className="typed-row">
      <input
        aria-label={`Name of ${label}`}
        value={row.name}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        {...(problem !== undefined && { 'aria-invalid': true, 'aria-describedby': id })}
        onChange={({ target }) => onRow({ name: target.value })}
        onBlur={() => row.name !== row.name.trim() && onRow({ name: row.name.trim() })}
      />
      <select
        aria-label={`Type of ${label}`}
        value={row.type}
        onChange={({ target }) => onRow({ type: target.value as Type })}
      >
        {keysOf(types).map((type) => (
          <option key={type} value={type}>
            {type}
            {types[type] === '' ? '' : `: ${types[type]}`}
          </option>
        ))}
      </select>
      <button type="button" className="quiet" aria-label={`Remove ${label}`} onClick={onRemove}>
        Remove
      </button>
      {problem !== undefined && (
        <p id={id} className="wrong">
          {problem}
        </p>
      )}
    </div>
  );
}
