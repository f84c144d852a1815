/** Colors of a text, by the lexers of the compiler. */
import { RangeSetBuilder, StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { readLqlWords, RESERVED_WORDS, tokenizeTemplate } from '#compiler/browser';
import type { EditorSettings } from './settings';

/** Sent when the language has changed. */
export const recolor = StateEffect.define<null>();

interface Colored {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** Longer texts stay without colors: each key would take a second. */
const MAX_COLORED = 200_000;
const MARKS = new Map<string, Decoration>();

function mark(name: string): Decoration {
  let found = MARKS.get(name);
  if (found === undefined) MARKS.set(name, (found = Decoration.mark({ class: `token-${name}` })));
  return found;
}

export function colorTokens(language: EditorSettings['language']) {
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

function decorate(view: EditorView, language: ReturnType<EditorSettings['language']>): DecorationSet {
  const text = view.state.doc.toString();
  const builder = new RangeSetBuilder<Decoration>();
  if (text.length > MAX_COLORED) return builder.finish();
  const colors = language === 'yaml' ? yamlColors : language === 'sql' ? sqlColors : lqlColors;
  for (const { from, to, name } of colors(text)) {
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

/** Keys and comments by line; the text of the query, when it is a block, as SQL. */
function yamlColors(text: string): readonly Colored[] {
  const block = /^query:[ \t]*[|>][^\n]*\n((?:[ \t]+[^\n]*(?:\n|$)|[ \t]*\n)*)/m.exec(text);
  const start = block === null ? text.length : block.index + block[0].length - (block[1]?.length ?? 0);
  const end = block === null ? text.length : block.index + block[0].length;
  const lines = (part: string, offset: number): readonly Colored[] =>
    [...part.matchAll(/^([ \t]*(?:- )*)([\w$.-]+)(?=:(?:\s|$))|(?:^|[ \t])(#.*)$/gm)].map(
      ({ index, 0: all, 1: lead = '', 2: key }) => {
        const hash = all.indexOf('#');
        const [from, length] =
          key === undefined ? [index + hash, all.length - hash] : [index + lead.length, key.length];
        return { from: offset + from, to: offset + from + length, name: key === undefined ? 'comment' : 'function' };
      }
    );
  const query = sqlColors(text.slice(start, end)).map((each) => ({
    ...each,
    from: each.from + start,
    to: each.to + start,
  }));
  return [...lines(text.slice(0, start), 0), ...query, ...lines(text.slice(end), end)];
}
