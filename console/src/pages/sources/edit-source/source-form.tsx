/** A source as a form: a name is enough, and all else has a default. */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ScalarType } from '#contract/events/source';
import type { Problem } from '../../../api/problem';
import { readersIn } from '../../../api/sources';
import { Failure } from '../../../parts/failure';
import { Field } from '../../edit/form/field';
import { Readers } from '../one-source/readers';
import { checkFields, type FieldType, refusedFields, type SourceFields } from './source-fields';
import { TenantFieldset } from './tenant-fieldset';
import { TypedRows } from './typed-rows';

export interface FormState {
  readonly fields: SourceFields;
  /** For the history. */
  readonly note: string;
}

interface SourceFormProps {
  readonly state: FormState;
  /** The name is chosen. */
  readonly isNew: boolean;
  /** Of other sources, with their aliases. */
  readonly namesInUse: readonly string[];
  /** What the change does to events that are stored, one sentence each, by field. */
  readonly warnings?: { readonly retention?: string | null; readonly tenant?: string | null };
  readonly submit: { readonly label: string; readonly isDisabled: boolean };
  readonly problem: Problem | null;
  readonly onChange: (part: Partial<FormState>) => void;
  readonly onSubmit: () => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}

export function SourceForm(props: SourceFormProps): ReactNode {
  const { state, isNew, namesInUse, submit, problem, onChange, onSubmit, children } = props;
  const { fields, note } = state;
  const [attempts, setAttempts] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const found = checkFields(fields, namesInUse);
  const problems = [...found, ...(problem ? refusedFields(problem, fields) : [])];
  const problemOf = (...path: ReadonlyArray<string | number>): string | undefined =>
    problems.find((each) => each.path.join('\0') === path.join('\0'))?.reason;
  const set = (part: Partial<SourceFields>): void => onChange({ fields: { ...fields, ...part } });

  // To the first field to correct.
  useEffect(() => {
    if (attempts > 0 || problem) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [attempts, problem]);

  return (
    <form
      ref={form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (found.length === 0) onSubmit();
        else setAttempts(attempts + 1);
      }}
    >
      <div className="form-grid">
        {isNew && (
          <Field
            label="Name"
            help="Senders and queries use it. It cannot be changed later; aliases can be added."
            problem={problemOf('name')}
          >
            <input
              required
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="none"
              value={fields.name}
              onChange={({ target }) => set({ name: target.value })}
            />
          </Field>
        )}
        <Field label="Description" problem={problemOf('description')} isWide>
          <input value={fields.description} onChange={({ target }) => set({ description: target.value })} />
        </Field>
      </div>
      <More
        {...props}
        isOpenAtFirst={!isNew}
        hasProblem={problems.some(({ path: [key] }) => key !== 'name' && key !== 'description')}
        problemOf={problemOf}
        set={set}
      />
      <div className="form-grid">
        <Field label="Note" help="For the history." isWide>
          <input maxLength={500} value={note} onChange={({ target }) => onChange({ note: target.value })} />
        </Field>
      </div>
      {problem && <Failure problem={problem} />}
      {problem && <Readers names={readersIn(problem)} />}
      <p className="actions">
        <button type="submit" className="main" disabled={submit.isDisabled}>
          {submit.label}
        </button>
        {children}
      </p>
    </form>
  );
}

const COLUMN_TYPES: Readonly<Record<ScalarType, string>> = {
  STRING: 'text',
  INT64: 'whole number',
  FLOAT64: 'number',
  BOOL: 'true or false',
};

const FIELD_TYPES: Readonly<Record<FieldType, string>> = {
  ...COLUMN_TYPES,
  'ARRAY<STRING>': 'texts',
  'ARRAY<INT64>': 'whole numbers',
  'ARRAY<FLOAT64>': 'numbers',
  'ARRAY<BOOL>': 'true or false, several',
  'ARRAY<STRUCT>': 'records',
};

interface MoreProps extends Pick<SourceFormProps, 'state' | 'warnings'> {
  readonly isOpenAtFirst: boolean;
  /** In one of these fields: they are shown. */
  readonly hasProblem: boolean;
  readonly problemOf: (...path: ReadonlyArray<string | number>) => string | undefined;
  readonly set: (part: Partial<SourceFields>) => void;
}

function More({ state: { fields }, warnings, isOpenAtFirst, hasProblem, problemOf, set }: MoreProps): ReactNode {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const lines = fields.aliases.split('\n').map((_, line) => problemOf('aliases', line));
  return (
    <details className="more" open={isOpen || hasProblem} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>More: retention, tenants, columns, fields, aliases</summary>
      <div className="form-grid">
        <Field
          label="Kept for (days)"
          help="1 to 3,650. Older events are deleted, and rejected when they arrive."
          problem={problemOf('retention_days')}
        >
          <input
            inputMode="numeric"
            placeholder="90"
            value={fields.retention}
            onChange={({ target }) => set({ retention: target.value })}
          />
        </Field>
        {warnings?.retention != null && (
          <p role="status" className="warning">
            {warnings.retention}
          </p>
        )}
      </div>
      <TenantFieldset fields={fields} problem={problemOf('tenant')} warning={warnings?.tenant ?? null} set={set} />
      <TypedRows
        legend="Own columns"
        help="Beside id, timestamp, event_message and metadata. An event has them at its top."
        noun="column"
        placeholder="status_code"
        types={COLUMN_TYPES}
        rows={fields.columns}
        problemOf={(name) => problemOf('columns', name)}
        onChange={(columns) => set({ columns })}
      />
      <TypedRows
        legend="Declared fields"
        help="Below metadata. Others need no declaration: their first value gives the type."
        noun="field"
        placeholder="request.path"
        types={FIELD_TYPES}
        rows={fields.fields}
        problemOf={(name) => problemOf('fields', name)}
        onChange={(rows) => set({ fields: rows })}
      />
      <div className="form-grid">
        <Field
          label="Aliases"
          help="Other names for senders and queries, one a line."
          problem={lines.find((each) => each !== undefined)}
        >
          <textarea
            rows={2}
            spellCheck={false}
            value={fields.aliases}
            onChange={({ target }) => set({ aliases: target.value })}
          />
        </Field>
      </div>
    </details>
  );
}
