import React, { useState } from 'react';
import { InlineField, Input } from '@grafana/ui';
import { escapeVariables } from '#contract/plugin/literal-text';
import type { Parameter } from '#contract/queries/saved-query';
import { useAnswer } from '../../use-answer';
import { PANEL_FROM, PANEL_TO } from '../../../query/defaults';
import { isTime, parameterProblem } from '../../../query/parameter-problem';
import { Picker, type PickerOption } from '../../compat/Picker';
import { LABEL_WIDTH } from '../EndpointField';

interface Props {
  readonly refId: string;
  readonly parameter: Parameter;
  readonly value: string;
  /** Placeholder: the value used if the field is empty. */
  readonly filledBy?: string;
  /** Suggestions for a text without enumerated values; other values are allowed. */
  readonly choices?: readonly string[];
  readonly valuesOf: (parameter: Parameter) => Promise<readonly string[]>;
  readonly onChange: (value: string) => void;
  /** Called when the value is final. */
  readonly onCommit: (value: string) => void;
}

export function ParameterField({
  refId,
  parameter,
  value,
  filledBy,
  choices = [],
  valuesOf,
  onChange,
  onCommit,
}: Props) {
  const listed = useAnswer(parameter.values && (() => valuesOf(parameter)), parameter.name);
  const [isTouched, setTouched] = useState(false);
  const { name, required, description } = parameter;
  const id = `lqe-param-${refId}-${name}`;
  const problem = filledBy && value.trim() === '' ? undefined : parameterProblem(parameter, value);
  const shown = isTouched || value !== '' ? problem : undefined;
  const options = optionsOf(parameter);
  return (
    <InlineField
      label={required ? `${name} *` : name}
      labelWidth={name.length > LONG_NAME ? 'auto' : LABEL_WIDTH}
      htmlFor={id}
      tooltip={description}
      invalid={shown !== undefined}
      error={shown}
    >
      {options ? (
        <Picker
          id={id}
          options={options}
          value={value === '' ? undefined : value}
          isInvalid={shown !== undefined}
          takesOwnText
          placeholder={
            filledBy ?? parameter.default ?? (required ? 'Choose, or write a variable' : emptyLabel(parameter))
          }
          onChange={(picked) => onCommit(picked === NONE ? '' : picked)}
        />
      ) : (
        <ChoiceInput
          id={id}
          width={40}
          choices={[...new Set([...choices, ...(listed.value ?? []).map(escapeVariables)])]}
          value={value}
          aria-required={required}
          aria-invalid={shown !== undefined}
          placeholder={
            filledBy ?? parameter.default ?? (parameter.format === 'regex' ? 'Regular expression (RE2)' : undefined)
          }
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onBlur={({ currentTarget }) => {
            setTouched(true);
            onCommit(currentTarget.value);
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter') onCommit(currentTarget.value);
          }}
        />
      )}
    </InlineField>
  );
}

/** Grafana's input with the browser's suggestions. */
function ChoiceInput({
  choices,
  ...props
}: React.ComponentProps<typeof Input> & { readonly choices: readonly string[] }) {
  const list = `${props.id}-choices`;
  return (
    <>
      <Input {...props} list={choices.length > 0 ? list : undefined} />
      {choices.length > 0 && (
        <datalist id={list}>
          {choices.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Represents no value, since Grafana's picker does not support an empty one. */
const NONE = '\u0000none';

/** Characters of a name that are wider than the labels of other fields, with the mark of a required one. */
const LONG_NAME = 20;

function optionsOf(parameter: Parameter): ReadonlyArray<PickerOption<string>> | undefined {
  const values = valueOptions(parameter);
  if (values === undefined || parameter.required) return values;
  return [...values, { value: NONE, label: emptyLabel(parameter) }];
}

function valueOptions(parameter: Parameter): ReadonlyArray<PickerOption<string>> | undefined {
  if (parameter.enum) return parameter.enum.map((each) => ({ value: escapeVariables(each), label: each }));
  if (parameter.type === 'boolean') return ['true', 'false'].map((each) => ({ value: each, label: each }));
  if (!isTime(parameter)) return undefined;
  const from = { value: PANEL_FROM, label: 'Panel time range: start' };
  const to = { value: PANEL_TO, label: 'Panel time range: end' };
  const isEnd = /end|until|before|to$/i.test(parameter.name);
  return isEnd ? [to, from] : [from, to];
}

/** The choice of no value. */
function emptyLabel(parameter: Parameter): string {
  if (parameter.default !== undefined) return `Default: ${parameter.default}`;
  return isTime(parameter) ? 'No limit' : 'Not set';
}
