import React from 'react';
import type { Parameter } from '#contract/queries/saved-query';
import { Fold } from '../../Fold';
import { ParameterField } from './ParameterField';

interface Props {
  readonly refId: string;
  /** A change recreates the fields. */
  readonly endpoint: string;
  readonly parameters: readonly Parameter[];
  readonly values: Readonly<Record<string, string>>;
  readonly defaultProject: string | undefined;
  /** Suggestions for a text parameter. */
  readonly choicesOf: (name: string) => readonly string[];
  /** Values of a parameter listed by the service. */
  readonly valuesOf: (parameter: Parameter) => Promise<readonly string[]>;
  readonly onChange: (name: string, value: string) => void;
  readonly onCommit: (name: string, value: string) => void;
}

/** Fields of parameters: required ones are visible, optional ones are folded with the number of values set. */
export function ParameterFields({ endpoint, parameters, values, ...rest }: Props) {
  const required = parameters.filter((each) => each.required);
  const optional = parameters.filter((each) => !each.required);
  const set = optional.filter(({ name }) => values[name]?.trim()).length;
  const field = (parameter: Parameter) => (
    <ParameterField
      key={`${endpoint} ${parameter.name}`}
      refId={rest.refId}
      parameter={parameter}
      value={values[parameter.name] ?? ''}
      filledBy={parameter.name === 'project' ? rest.defaultProject : undefined}
      choices={rest.choicesOf(parameter.name)}
      valuesOf={rest.valuesOf}
      onChange={(value) => rest.onChange(parameter.name, value)}
      onCommit={(value) => rest.onCommit(parameter.name, value)}
    />
  );
  return (
    <>
      {required.map(field)}
      {optional.length > 0 && (
        <Fold key={endpoint} title="Optional parameters" summary={`${set} of ${optional.length} set`}>
          {optional.map(field)}
        </Fold>
      )}
    </>
  );
}
