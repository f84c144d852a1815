/** Variables of Grafana in a text, and which of them can become parameters of a saved query. */
import type { ScopedVars } from '@grafana/data';
import type { VariableParameter } from '#contract/plugin/saving';
import { VARIABLE } from '../query/interpolate';
import type { LogEndpointsQuery } from '../types';

/** The parts of Grafana's variable models that all supported versions have. */
export interface VariableFacts {
  readonly name: string;
  readonly multi?: boolean;
  readonly current?: { readonly value?: unknown };
}

export interface TextVariable {
  readonly name: string;
  /** Why it cannot become a parameter; undefined if it can. */
  readonly whyNot: string | undefined;
}

/** Variables of the text and the filters in order, without those of time and interval. */
export function textVariables(query: LogEndpointsQuery, known: readonly VariableFacts[]): readonly TextVariable[] {
  const found = new Map<string, TextVariable>();
  for (const text of texts(query)) {
    for (const [, bare, braced, format, old, oldFormat] of text.matchAll(VARIABLE)) {
      const name = bare ?? braced ?? old ?? '';
      if (name.startsWith('__')) continue;
      const whyNot =
        found.get(name)?.whyNot ??
        reason(
          known.find((each) => each.name === name),
          format ?? oldFormat
        );
      found.set(name, { name, whyNot });
    }
  }
  return [...found.values()];
}

function texts({ mode, sql, lql, filters = [] }: LogEndpointsQuery): readonly string[] {
  return [(mode === 'lql' ? lql : sql) ?? '', ...filters.map(({ value }) => value)];
}

function reason(facts: VariableFacts | undefined, format: string | undefined): string | undefined {
  if (format !== undefined) return `it is written with the format "${format.slice(1)}"`;
  if (facts?.multi || Array.isArray(facts?.current?.value)) return 'it can have several values, a parameter has one';
  return undefined;
}

/** Values that replace the variables of `names` in the text, so that the backend finds them. */
export function markedVariables(names: readonly string[]): ScopedVars {
  return Object.fromEntries(names.map((name) => [name, { text: markerOf(name), value: markerOf(name) }]));
}

export function markerOf(name: string): string {
  return `lqe_variable_${name}`;
}

export function variableParameters(names: readonly string[], { params = {} }: LogEndpointsQuery): VariableParameter[] {
  return names.map((variable) => {
    const forms = [`$${variable}`, `\${${variable}}`, `[[${variable}]]`];
    const parameter = Object.entries(params).find(([, value]) => forms.includes(value.trim()))?.[0];
    return { variable, marker: markerOf(variable), ...(parameter === undefined ? {} : { parameter }) };
  });
}
