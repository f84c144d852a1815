/**
 * Registers SQL and LQL in Grafana's code editor. Languages and completion providers are global in Monaco: they are
 * registered once, and each editor provides the suggestions for its text.
 */
import type { Monaco } from '@grafana/ui';
import { SQL_KEYWORDS } from './completion/suggest-sql';
import type { Suggestion } from './completion/suggestion';

export type AdhocLanguage = 'sql' | 'lql';
export type Suggest = (text: string, offset: number) => readonly Suggestion[];

const IDS: Readonly<Record<AdhocLanguage, string>> = { sql: 'lqe-sql', lql: 'lqe-lql' };
const suggestByModel = new Map<string, Suggest>();

export function languageId(language: AdhocLanguage): string {
  return IDS[language];
}

/** @returns a function that removes the suggestions when the editor is disposed */
export function offerCompletion(modelUri: string, suggest: Suggest): () => void {
  suggestByModel.set(modelUri, suggest);
  return () => {
    if (suggestByModel.get(modelUri) === suggest) suggestByModel.delete(modelUri);
  };
}

export function registerLanguages(monaco: Monaco): void {
  if (monaco.languages.getLanguages().some(({ id }) => id === IDS.sql)) return;
  for (const language of ['sql', 'lql'] as const) {
    const id = IDS[language];
    monaco.languages.register({ id });
    monaco.languages.setMonarchTokensProvider(id, language === 'sql' ? SQL_TOKENS : LQL_TOKENS);
    monaco.languages.setLanguageConfiguration(id, {
      brackets: [['(', ')']],
      autoClosingPairs: [
        { open: '(', close: ')' },
        { open: "'", close: "'", notIn: ['string'] },
        { open: '"', close: '"', notIn: ['string'] },
      ],
      ...(language === 'sql'
        ? { comments: { lineComment: '--', blockComment: ['/*', '*/'] as [string, string] } }
        : {}),
    });
    monaco.languages.registerCompletionItemProvider(id, {
      triggerCharacters: ['.', ' ', ':', '(', '$'],
      provideCompletionItems: (model, position) => {
        const text = model.getValue();
        const offset = model.getOffsetAt(position);
        const word = /\$?\w*$/.exec(text.slice(0, offset))?.[0] ?? '';
        const range = {
          startLineNumber: position.lineNumber,
          endLineNumber: position.lineNumber,
          startColumn: position.column - word.length,
          endColumn: model.getWordAtPosition(position)?.endColumn ?? position.column,
        };
        const isClosed = text.charAt(offset - 1) === ')';
        const suggestions = isClosed ? [] : (suggestByModel.get(model.uri.toString())?.(text, offset) ?? []);
        return {
          suggestions: suggestions.map((each, at) => ({
            label: each.label,
            kind: kindOf(monaco, each.kind),
            detail: each.detail,
            documentation: each.documentation,
            insertText: each.insertText ?? each.label,
            sortText: String(at).padStart(5, '0'),
            range,
          })),
        };
      },
    });
  }
}

function kindOf(monaco: Monaco, kind: Suggestion['kind']): number {
  const { CompletionItemKind: kinds } = monaco.languages;
  const known = {
    table: kinds.Struct,
    column: kinds.Field,
    record: kinds.Module,
    function: kinds.Function,
    keyword: kinds.Keyword,
    macro: kinds.Variable,
    value: kinds.Value,
  };
  return known[kind];
}

const QUOTED = [
  [/"(?:\\.|[^"\\])*"?/, 'string'],
  [/\$(?:\{[^}]*\}|\w+)/, 'variable'],
] as const;

const SQL_TOKENS = {
  ignoreCase: true,
  keywords: SQL_KEYWORDS.flatMap((words) => words.split(' ')),
  tokenizer: {
    root: [
      [/--.*|#.*/, 'comment'],
      [/\/\*/, 'comment', '@comment'],
      [/(?:rb|br|r|b)?'(?:\\.|[^'\\])*'?/, 'string'],
      [/(?:rb|br|r|b)"(?:\\.|[^"\\])*"?/, 'string'],
      ...QUOTED,
      [/@\w+/, 'variable'],
      [/\d+(\.\d+)?/, 'number'],
      [/\w+(?=\s*\()/, { cases: { '@keywords': 'keyword', '@default': 'predefined' } }],
      [/[a-z_]\w*/, { cases: { '@keywords': 'keyword', '@default': 'identifier' } }],
    ],
    comment: [
      [/\*\//, 'comment', '@pop'],
      [/./, 'comment'],
    ],
  },
} as Parameters<Monaco['languages']['setMonarchTokensProvider']>[1];

const LQL_TOKENS = {
  tokenizer: {
    root: [
      ...QUOTED,
      [/-?(?:f|from|t|timestamp|s|select|c|chart)(?=:)/, 'keyword'],
      [/-?(?:m|metadata)\.[\w.]+/, 'identifier'],
      [/:(?:@>~|@>|>=|<=|!=|>|<|~)?/, 'operator'],
      [/\b(?:in|count|countd|avg|sum|min|max|p50|p90|p95|p99|group_by)(?=\()/, 'predefined'],
      [/\d+(\.\d+)?/, 'number'],
      [/NULL/, 'keyword'],
    ],
  },
} as Parameters<Monaco['languages']['setMonarchTokensProvider']>[1];
