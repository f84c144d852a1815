/** The declared parameters of a definition. */
import { type ReactNode, useMemo, useState } from 'react';
import { tokenizeTemplate } from '#compiler/browser';
import type { Parameter } from '#contract/queries/saved-query';
import type { Fields } from '../../../definition/definition-text';
import { isOn, parametersOf, textOf, textsOf } from '../../../definition/read-fields';
import { Field } from './field';
import type { PartProps } from './form-part';

const TYPES: Readonly<Record<Parameter['type'], string>> = {
  text: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  timestamp: 'time',
};
const FORMATS: Readonly<Record<NonNullable<Parameter['format']>, string>> = {
  regex: 'a regular expression',
  iso8601: 'an ISO 8601 time',
};

export function ParameterList({ fields, problemOf, onChange }: PartProps): ReactNode {
  const parameters = parametersOf(fields);
  const query = textOf(fields, 'query');
  const used = useMemo(() => parametersIn(query), [query]);
  const declared = new Set(parameters.map((each) => textOf(each, 'name')));
  const undeclared = used.filter((name) => !declared.has(name)).slice(0, MAX_DECLARED_AT_ONCE);
  const add = (name: string): void =>
    parameters.length === 0
      ? onChange(['parameters'], [{ name, required: true }])
      : onChange(['parameters', parameters.length], { name, required: true });
  return (
    <>
      {parameters.length === 0 && <p className="soft">None yet.</p>}
      {parameters.map((parameter, index) => (
        <ParameterFields
          key={index}
          parameter={parameter}
          index={index}
          problemOf={(key) => problemOf('parameters', index, key)}
          onSet={(key, value) => onChange(['parameters', index, key], value)}
          onRemove={() => onChange(['parameters', index], undefined)}
        />
      ))}
      <div className="tools">
        {undeclared.map((name) => (
          <button key={name} type="button" onClick={() => add(name)}>
            Declare @{name}
          </button>
        ))}
        <button type="button" onClick={() => add('')}>
          Add a parameter
        </button>
      </div>
    </>
  );
}

/** More buttons would hide the form. */
const MAX_DECLARED_AT_ONCE = 10;

/** Names of the parameters that a query uses. */
function parametersIn(query: string): readonly string[] {
  const used = tokenizeTemplate(query).flatMap(({ kind, text }) =>
    kind === 'variable' && /^@[A-Za-z_]\w*$/.test(text) ? [text.slice(1)] : []
  );
  return [...new Set(used)];
}

interface ParameterFieldsProps {
  readonly parameter: Fields;
  readonly index: number;
  readonly problemOf: (key: string) => string | undefined;
  readonly onSet: (key: string, value: unknown) => void;
  readonly onRemove: () => void;
}

function ParameterFields({ parameter, index, problemOf, onSet, onRemove }: ParameterFieldsProps): ReactNode {
  const name = textOf(parameter, 'name');
  const common = { parameter, problemOf, onSet };
  return (
    <fieldset className="parameter">
      <legend>{name === '' ? `Parameter ${index + 1}` : `@${name}`}</legend>
      <div className="form-grid">
        <Field label="Name" problem={problemOf('name')}>
          <input spellCheck={false} value={name} onChange={({ target }) => onSet('name', target.value)} />
        </Field>
        <Field label="Type" problem={problemOf('type')}>
          <select
            value={textOf(parameter, 'type') || 'text'}
            onChange={({ target }) => onSet('type', target.value === 'text' ? undefined : target.value)}
          >
            <Options labels={TYPES} />
          </select>
        </Field>
        <Flags {...common} />
        <Field label="Default" problem={problemOf('default')}>
          <input {...textInput(common, 'default')} />
        </Field>
        <Field label="Description" isWide problem={problemOf('description')}>
          <input {...textInput(common, 'description')} spellCheck />
        </Field>
      </div>
      <AllowedValues {...common} />
      {'values' in parameter && <p className="soft">Its list of known values is in the YAML, and stays.</p>}
      <button
        type="button"
        className="quiet"
        onClick={onRemove}
        aria-label={`Remove ${name === '' ? `parameter ${index + 1}` : name}`}
      >
        Remove
      </button>
    </fieldset>
  );
}

type PartOfParameter = Pick<ParameterFieldsProps, 'parameter' | 'problemOf' | 'onSet'>;

function textInput({ parameter, onSet }: PartOfParameter, key: string) {
  return {
    value: textOf(parameter, key),
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) => onSet(key, target.value === '' ? undefined : target.value),
  };
}

function Options({ labels }: { readonly labels: Readonly<Record<string, string>> }): ReactNode {
  return Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

function Flags({ parameter, problemOf, onSet }: PartOfParameter): ReactNode {
  const flag = (key: string) => ({
    type: 'checkbox',
    checked: isOn(parameter, key),
    onChange: ({ target }: { target: { checked: boolean } }) => onSet(key, target.checked ? true : undefined),
  });
  return (
    <div className="choices">
      <label>
        <input {...flag('required')} /> required
      </label>
      <label title="Tokens of a tenant fill it in and cannot change it">
        <input {...flag('tenant')} /> names the tenant
      </label>
      {problemOf('tenant') !== undefined && <p className="wrong">{problemOf('tenant')}</p>}
    </div>
  );
}

function AllowedValues(props: PartOfParameter): ReactNode {
  const { parameter, problemOf, onSet } = props;
  const choices = textsOf(parameter, 'enum');
  // A field that is emptied while a person types in it stays.
  const [isOpen, setOpen] = useState(choices !== undefined || 'pattern' in parameter || 'format' in parameter);
  const setChoices = (lines: readonly string[]): void => onSet('enum', lines.length === 0 ? undefined : lines);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Values that are allowed</summary>
      <div className="form-grid">
        <Field label="One of" help="One value a line; empty: any." problem={problemOf('enum')}>
          <textarea
            rows={3}
            spellCheck={false}
            value={choices?.join('\n') ?? ''}
            onChange={({ target }) => setChoices(target.value === '' ? [] : target.value.split('\n'))}
            // The end of the last line is no value.
            onBlur={() => choices?.at(-1) === '' && setChoices(choices.slice(0, -1))}
          />
        </Field>
        <Field label="Pattern" help="RE2, of the whole value." problem={problemOf('pattern')}>
          <input {...textInput(props, 'pattern')} />
        </Field>
        <Field label="Form" problem={problemOf('format')}>
          <select
            value={textOf(parameter, 'format')}
            onChange={({ target }) => onSet('format', target.value === '' ? undefined : target.value)}
          >
            <option value="">any</option>
            <Options labels={FORMATS} />
          </select>
        </Field>
      </div>
    </details>
  );
}
