/** A definition as a form. Each change is one field of the text, so that what the form does not show stays. */
import type { ReactNode } from 'react';
import type { DescribedTable } from '#contract/queries/description';
import { keysOf } from '#contract/records';
import type { RedactionKind } from '#contract/redaction';
import type { DefinitionProblem } from '../../../api/changes';
import type { Fields } from '../../../definition/definition-text';
import { isOn, textOf, textsOf } from '../../../definition/read-fields';
import type { TextProblem } from '../../../editor/settings';
import { TextEditor } from '../../../editor/text-editor';
import { problemAt } from '../../../editor/validate-text';
import { Field, NumberInput } from './field';
import type { PartProps, SetField } from './form-part';
import { ParameterList } from './parameter-list';

interface DefinitionFormProps {
  readonly fields: Fields;
  readonly problems: readonly DefinitionProblem[];
  readonly tables: readonly DescribedTable[];
  readonly onChange: SetField;
  readonly onRun: () => void;
}

export function DefinitionForm({ fields, problems, tables, onChange, onRun }: DefinitionFormProps): ReactNode {
  const query = textOf(fields, 'query');
  const problemOf = (...path: ReadonlyArray<string | number>): string | undefined =>
    problems.find((problem) => problem.inQuery === null && problem.path?.join('.') === path.join('.'))?.message;
  const text = (key: string) => ({
    value: textOf(fields, key),
    onChange: ({ target }: { target: { value: string } }) =>
      onChange([key], target.value === '' ? undefined : target.value),
  });
  return (
    <div className="definition-form">
      <div className="form-grid">
        <Field
          label="Name"
          problem={problemOf('name')}
          help="Lower case, with dots, dashes and underscores. It is part of the address of a call."
        >
          <input
            spellCheck={false}
            autoComplete="off"
            value={textOf(fields, 'name')}
            onChange={({ target }) => onChange(['name'], target.value)}
          />
        </Field>
        <Field label="Description" problem={problemOf('description')} isWide>
          <input {...text('description')} />
        </Field>
      </div>
      <h2 id="query-text">Query</h2>
      <TextEditor
        label="Query text"
        language="sql"
        text={query}
        tables={tables}
        problems={inQuery(problems, query)}
        onChange={(written) => onChange(['query'], written)}
        onRun={onRun}
      />
      {problemOf('query') !== undefined && <p className="wrong">{problemOf('query')}</p>}
      <p className="soft">
        GoogleSQL. Parameters are written <code>@name</code>; the tables of its WITH are those of the sandbox.
      </p>
      <h2>Parameters</h2>
      <ParameterList fields={fields} problemOf={problemOf} onChange={onChange} />
      <Limits fields={fields} problemOf={problemOf} onChange={onChange} />
      <Rights fields={fields} problemOf={problemOf} onChange={onChange} />
    </div>
  );
}

function inQuery(problems: readonly DefinitionProblem[], query: string): readonly TextProblem[] {
  return problems.flatMap(({ inQuery: position, message }) =>
    position === null ? [] : [problemAt(query, 'error', message, position)]
  );
}

const LIMITS = [
  { key: 'max_rows', label: 'Rows at most', preset: '1000', help: 'A longer result is cut.' },
  { key: 'max_bytes', label: 'Bytes at most', preset: '8388608', help: 'Of the result.' },
  { key: 'timeout_ms', label: 'Time limit (ms)', preset: '10000', help: '10 to 600,000.' },
  {
    key: 'cache_seconds',
    label: 'Cached for (s)',
    preset: 'never',
    help: 'Equal calls get the same result for so long.',
  },
  {
    key: 'warm_seconds',
    label: 'Warmed every (s)',
    preset: 'never',
    help: 'Runs again before the cached result ends.',
  },
] as const;

function Limits({ fields, problemOf, onChange }: PartProps): ReactNode {
  return (
    <>
      <h2>Limits and cache</h2>
      <div className="form-grid">
        {LIMITS.map(({ key, label, preset, help }) => (
          <Field key={key} label={label} help={help} problem={problemOf(key)}>
            <NumberInput value={fields[key]} placeholder={preset} onChange={(value) => onChange([key], value)} />
          </Field>
        ))}
      </div>
    </>
  );
}

/** By kind, so that none is forgotten. */
const REDACTED: Readonly<Record<RedactionKind, string>> = {
  token: 'access tokens and keys',
  email: 'e-mail addresses',
  ip: 'IP addresses',
  card: 'card numbers',
};
const KINDS = keysOf(REDACTED);

function Rights({ fields, problemOf, onChange }: PartProps): ReactNode {
  const redact = textsOf(fields, 'redact') ?? KINDS;
  const toggle = (kind: RedactionKind, isHidden: boolean): void => {
    const next = KINDS.filter((each) => (each === kind ? isHidden : redact.includes(each)));
    onChange(['redact'], next.length === KINDS.length ? undefined : next);
  };
  const flag = (key: string) => ({
    type: 'checkbox',
    checked: isOn(fields, key),
    onChange: ({ target }: { target: { checked: boolean } }) => onChange([key], target.checked ? true : undefined),
  });
  return (
    <>
      <h2>Sandbox and redaction</h2>
      <div className="form-grid">
        <div className="choices">
          <label>
            <input {...flag('sandbox')} /> Sandbox: ad-hoc SQL and LQL may read its named tables
          </label>
          <label>
            <input {...flag('redact_pii')} /> Redact every result
          </label>
          <label>
            <input
              type="checkbox"
              checked={fields['unknown_parameters'] === 'refuse'}
              onChange={({ target }) => onChange(['unknown_parameters'], target.checked ? 'refuse' : undefined)}
            />{' '}
            Refuse calls with unknown parameters
          </label>
        </div>
        <fieldset className="choices">
          <legend>Redaction hides</legend>
          {KINDS.map((kind) => (
            <label key={kind}>
              <input
                type="checkbox"
                checked={redact.includes(kind)}
                onChange={({ target }) => toggle(kind, target.checked)}
              />{' '}
              {REDACTED[kind]}
            </label>
          ))}
          {problemOf('redact') !== undefined && <p className="wrong">{problemOf('redact')}</p>}
        </fieldset>
        <Field
          label="Table of LQL"
          help="The named table that LQL reads when it does not say which."
          problem={problemOf('default_table')}
        >
          <input
            spellCheck={false}
            value={textOf(fields, 'default_table')}
            onChange={({ target }) => onChange(['default_table'], target.value === '' ? undefined : target.value)}
          />
        </Field>
      </div>
    </>
  );
}
