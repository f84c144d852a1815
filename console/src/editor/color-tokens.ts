/** Colors of a text, by the lexers of the compiler. */
import { RangeSetBuilder, StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { readLqlWords, RESERVED_WORDS, tokenizeTemplate } from '#compiler/browser';
import type { Language } from '../api/run-query';

/** Sent when the language has changed. */
export const recolor = StateEffect.define<null>();

interface Colored {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

const MARKS = new Map<string, Decoration>();

function mark(name: string): Decoration {
  let found = MARKS.get(name);
  if (found === undefined) MARKS.set(name, (found = Decoration.mark({ class: `token-${name}` })));
  return found;
}

export function colorTokens(language: () => Language) {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = decorate(view, language());
      }

      update({ docChanged, transactions, view }: ViewUpdate): void {
        const hasChanged = transactions.some(({ effects }) => effects.some((effect) => effect.is(recolor)));
        if (docChanged || hasChanged) this.decorations = decorate(view, language());
      }
    },
    { decorations: (plugin) => plugin.decorations }
  );
}

function decorate(view: EditorView, language: Language): DecorationSet {
  const text = view.state.doc.toString();
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to, name } of language === 'sql' ? sqlColors(text) : lqlColors(text)) {
    builder.add(from, to, mark(name));
  }
  return builder.finish();
}

function sqlColors(text: string): readonly Colored[] {
  const tokens = tokenizeTemplate(text);
  return tokens.flatMap(({ kind, symbol, offset, end }, at) => {
    const isCall = kind === 'word' && tokens[at + 1]?.symbol === '(';
    const name =
      kind === 'word'
        ? RESERVED_WORDS.has(symbol)
          ? 'keyword'
          : isCall
            ? 'function'
            : ''
        : kind === 'bytes' || kind === 'unclosed'
          ? 'string'
          : kind;
    return name === '' || name === 'operator' ? [] : [{ from: offset, to: end, name }];
  });
}

function lqlColors(text: string): readonly Colored[] {
  return readLqlWords(text).flatMap(({ offset, end, value, operator, keyword }) => {
    const start = end - value.length;
    const head = { from: offset, to: start, name: keyword === undefined ? 'name' : 'keyword' };
    const rest = {
      from: start,
      to: end,
      name: value.startsWith('"') ? 'string' : operator === undefined ? 'text' : 'number',
    };
    return [head, rest].filter(({ from, to }) => to > from);
  });
}
