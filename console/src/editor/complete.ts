/** Completion from the tables of the sandbox and the functions of the dialect, as in the Grafana data source. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  startCompletion,
} from '@codemirror/autocomplete';
import { StateField } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
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

/** True while the cursor is where the last typed letter put it. */
export const typedLast = StateField.define<boolean>({
  create: () => false,
  update: (before, transaction) => {
    if (transaction.isUserEvent('input.type')) return true;
    return before && !transaction.docChanged && transaction.selection === undefined;
  },
});

/** Asks once more about the word that a person is typing: tables may have come after its letters. */
export function completeTypedWord(view: EditorView): void {
  const { doc, selection } = view.state;
  const at = selection.main.head;
  const isWord = /[\w.]/.test(doc.sliceString(at - 1, at));
  if (view.hasFocus && isWord && view.state.field(typedLast)) startCompletion(view);
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
