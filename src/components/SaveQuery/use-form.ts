import { useState } from 'react';
import { MAX_CACHE_SECONDS, MAX_SAVED_ROWS, nameProblem } from '#contract/plugin/endpoint-name';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { EditorDataSource } from '../editor-data-source';
import { textVariables, type TextVariable } from '../../saving/text-variables';
import type { LogEndpointsQuery } from '../../types';
import { useExisting, type Existing } from './use-existing';

/** Input of the user. An undefined field has the value of the existing saved query, if there is one. */
interface FormInput {
  readonly name: string;
  readonly description?: string;
  readonly note: string;
  readonly maxRows?: string;
  readonly cacheSeconds?: string;
  /** Variables that are to be no parameters. */
  readonly kept: ReadonlySet<string>;
}

export interface FormVariable extends TextVariable {
  readonly isParameter: boolean;
}

export interface Form extends Omit<Existing, 'isFile'> {
  readonly name: string;
  /** Undefined: the name can be used. */
  readonly badName: string | undefined;
  readonly description: string;
  readonly note: string;
  readonly rowsText: string;
  /** Undefined: the text is not valid. */
  readonly rows: number | undefined;
  readonly cacheText: string;
  /** Null: never cached. Undefined: the text is not valid. */
  readonly seconds: number | null | undefined;
  readonly variables: readonly FormVariable[];
  readonly change: (changed: Partial<FormInput>) => void;
  readonly toggleVariable: (name: string) => void;
}

const EMPTY: FormInput = { name: '', note: '', kept: new Set() };

/** Fields of the form with their defaults and what is wrong with them. */
export function useForm(datasource: EditorDataSource, query: LogEndpointsQuery, endpoint: EndpointSummary): Form {
  const [input, setInput] = useState(EMPTY);
  const { name, note, kept } = input;
  const { isFile, ...found } = useExisting(datasource, name);
  const { existing } = found;
  const rowsText = input.maxRows ?? String(existing?.max_rows ?? query.maxRows ?? endpoint.max_rows);
  const cacheText = input.cacheSeconds ?? String(existing?.cache_seconds ?? '');
  const change = (changed: Partial<FormInput>) => setInput((present) => ({ ...present, ...changed }));
  return {
    ...found,
    name,
    badName:
      nameProblem(name) ?? (isFile ? 'A file of the service has this name, and only the file changes it.' : undefined),
    description: input.description ?? existing?.description ?? '',
    note,
    rowsText,
    rows: numberIn(rowsText, MAX_SAVED_ROWS),
    cacheText,
    seconds: cacheText.trim() === '' ? null : numberIn(cacheText, MAX_CACHE_SECONDS),
    variables: textVariables(query, datasource.variableFacts()).map((each) => ({
      ...each,
      isParameter: each.whyNot === undefined && !kept.has(each.name),
    })),
    change,
    toggleVariable: (variable) => change({ kept: toggled(kept, variable) }),
  };
}

function numberIn(text: string, max: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text.trim()) && value >= 1 && value <= max ? value : undefined;
}

function toggled(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
