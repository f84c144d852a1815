/** Completion from the tables of the sandbox and the functions of the dialect, as in the Grafana data source. */
import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import { suggestLql } from '../../../src/language/completion/suggest-lql';
import { suggestSql } from '../../../src/language/completion/suggest-sql';
import type { Suggestion } from '../../../src/language/completion/suggestion';
import type { EditorSettings } from './settings';

const TYPES: Readonly<Record<Suggestion['kind'], string>> = {
  table: 'class',
  column: 'property',
  record: 'namespace',
  function: 'function',
  keyword: 'keyword',
  macro: 'variable',
  value: 'constant',
};

export function completeWith({ language, tables, functions }: EditorSettings): CompletionSource {
  return (context: CompletionContext): CompletionResult | null => {
    if (language() === 'yaml') return null;
    const text = context.state.doc.toString();
    const isSql = language() === 'sql';
    const word = context.matchBefore(isSql ? /\w+/ : /[\w.]+/);
    const before = text[(word?.from ?? context.pos) - 1];
    if (word === null && !context.explicit && before !== '.' && before !== ':') return null;
    const found = isSql
      ? suggestSql(text, context.pos, { tables: tables(), functions })
      : suggestLql(text, context.pos, tables());
    // Macros are Grafana's.
    const options = found.filter(({ kind }) => kind !== 'macro').map(toCompletion);
    const from = isSql
      ? (word?.from ?? context.pos)
      : (word?.text.lastIndexOf('.') ?? -1) + 1 + (word?.from ?? context.pos);
    return options.length === 0 ? null : { from, options, validFor: /^\w*$/ };
  };
}

function toCompletion({ label, kind, detail, documentation, insertText }: Suggestion): Completion {
  return {
    label,
    type: TYPES[kind],
    ...(detail !== undefined && { detail: detail.length > 60 ? `${detail.slice(0, 58)}…` : detail }),
    ...(documentation !== undefined && { info: documentation }),
    ...(insertText !== undefined && { apply: insertText }),
  };
}
