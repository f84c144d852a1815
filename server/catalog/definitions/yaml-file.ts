/** YAML with source positions of its values. */
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLError,
} from 'yaml';
import type { Position } from '#contract/errors';
import { toError } from '../../common/caught-error';

export interface YamlFile {
  readonly value: unknown;
  readonly errors: readonly { readonly position: Position; readonly reason: string }[];
  /** Position of a value, or of its nearest existing ancestor. */
  positionOf(path: readonly PropertyKey[]): Position;
  /** Position of a key in the mapping at `path`. */
  positionOfKey(path: readonly PropertyKey[], key: string): Position;
  /**
   * Maps a position inside a text value to the file. Exact in a literal block (`|`); otherwise the start of the value.
   */
  positionInText(path: readonly PropertyKey[], inner: Position): Position;
}

/** Problems of one text that are reported: a person mends the first ones first. */
export const MAX_PROBLEMS = 20;

/**
 * Words and signs of YAML in one text; a block of text counts as one. The parser needs seconds for some longer texts.
 */
const MAX_TOKENS = 20_000;

export function readYaml(text: string): YamlFile {
  if (hasManyTokens(text)) return unreadable(`has more than ${MAX_TOKENS.toLocaleString('en-US')} words and signs`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true, version: '1.2' });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const errors = [...document.errors, ...document.warnings].slice(0, MAX_PROBLEMS).map((error: YAMLError) => ({
    position: positionAt(error.pos[0]),
    reason: firstLine(error.message),
  }));

  function positionOf(path: readonly PropertyKey[]): Position {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = nodeAt(document, path.slice(0, length));
      if (node?.range) return positionAt(node.range[0]);
    }
    return { line: 1, column: 1 };
  }

  return {
    ...readValue(document, errors, positionAt),
    positionOf,
    positionOfKey(path, key) {
      const node = nodeAt(document, path);
      const pair = isMap(node)
        ? node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key)
        : undefined;
      const range = isNode(pair?.key) ? pair.key.range : undefined;
      return range ? positionAt(range[0]) : positionOf(path);
    },
    positionInText(path, inner) {
      const node = nodeAt(document, path);
      if (!isScalar(node) || node.type !== 'BLOCK_LITERAL' || !node.range) return positionOf(path);
      const header = positionAt(node.range[0]);
      return { line: header.line + inner.line, column: blockIndent(node, text) + inner.column };
    },
  };
}

export function hasManyTokens(text: string, max = MAX_TOKENS): boolean {
  if (text.length <= max) return false;
  let count = 0;
  const tokens = new Lexer().lex(text);
  while (!tokens.next().done) if ((count += 1) > max) return true;
  return false;
}

function unreadable(reason: string): YamlFile {
  const start = { line: 1, column: 1 };
  return {
    value: null,
    errors: [{ position: start, reason }],
    positionOf: () => start,
    positionOfKey: () => start,
    positionInText: () => start,
  };
}

/** Aliases are refused: a definition needs none, and they can expand without bound. */
function readValue(
  document: Document,
  errors: YamlFile['errors'],
  positionAt: (offset: number) => Position
): Pick<YamlFile, 'value' | 'errors'> {
  if (errors.length > 0) return { value: null, errors };
  try {
    return { value: document.toJS({ maxAliasCount: 0 }), errors };
  } catch (error) {
    const position = positionAt(document.contents?.range?.[0] ?? 0);
    return { value: null, errors: [{ position, reason: firstLine(toError(error).message) }] };
  }
}

function nodeAt(document: Document, path: readonly PropertyKey[]): Node | undefined {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  return isNode(node) ? node : undefined;
}

/** Indentation of a block: that of its first line that is not blank. */
function blockIndent(node: Scalar, text: string): number {
  const [start, end] = node.range!;
  const body = text.slice(text.indexOf('\n', start) + 1, end);
  const line = body.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const first =
    String(node.value)
      .split('\n')
      .find((candidate) => candidate.trim() !== '') ?? '';
  return Math.max(0, line.replace(/\r$/, '').length - first.replace(/\r$/, '').length);
}

function firstLine(message: string): string {
  return message.split('\n')[0]!;
}
