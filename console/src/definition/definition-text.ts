/**
 * The YAML text of a definition, as the service stores it: its values for the form, and changes of single fields that
 * leave comments and all else as they are.
 */
import { type Document, isMap, Lexer, parseDocument, Scalar, stringify, visit } from 'yaml';
import { isRecord } from '#contract/records';

/** The fields of a definition as they are written, not checked. */
export type Fields = Readonly<Record<string, unknown>>;
export type FieldPath = readonly [string, ...ReadonlyArray<string | number>];

export type ReadText =
  { readonly fields: Fields; readonly problem: null } | { readonly fields: null; readonly problem: string };

/** The service takes no longer text. */
const MAX_CHARACTERS = 262_144;
/** The parser needs seconds for some texts with more words and signs. The service has the same limit. */
const MAX_TOKENS = 20_000;
/** Lines are not folded: the package folds quoted texts so that some do not read back as they were. */
const WRITTEN = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;
/** Fields of an answer that the service assigns. */
const ASSIGNED: readonly string[] = [
  'id',
  'revision',
  'created_at',
  'updated_at',
  'origin',
  'fields',
  'tables',
  'misfits',
  'problem',
  'change',
];

export function readText(text: string): ReadText {
  const problem = unreadable(text);
  if (problem !== null) return { fields: null, problem };
  try {
    const document = parseDocument(text, { prettyErrors: false, uniqueKeys: true, version: '1.2' });
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) return { fields: null, problem: firstLine(error.message) };
    // Aliases are refused, as by the service: they can expand without bound.
    const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
    if (isRecord(value)) return { fields: value, problem: null };
    return { fields: null, problem: 'The text is no mapping of fields to values.' };
  } catch (error) {
    return { fields: null, problem: error instanceof Error ? firstLine(error.message) : String(error) };
  }
}

function unreadable(text: string): string | null {
  if (text.length > MAX_CHARACTERS) return `The text has more than ${MAX_CHARACTERS.toLocaleString()} characters.`;
  return hasManyTokens(text, MAX_TOKENS) ? 'The text has too many values.' : null;
}

/** Whether the text has more words and signs of YAML; a block of text counts as one. */
export function hasManyTokens(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let count = 0;
  const tokens = new Lexer().lex(text);
  while (tokens.next().done !== true) if ((count += 1) > max) return true;
  return false;
}

const firstLine = (message: string): string => message.split('\n')[0] ?? '';

/**
 * Sets one value. The text must be readable.
 * @param value undefined removes the field
 */
export function writeField(text: string, path: FieldPath, value: unknown): string {
  const document: Document = parseDocument(text);
  if (!isMap(document.contents)) document.contents = document.createNode({});
  if (value === undefined) document.deleteIn(path);
  // A plain value takes the place of another one within its node, which has the comment.
  else document.setIn(path, typeof value === 'object' ? document.createNode(value) : value);
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && node.value.includes('\n')) node.type = Scalar.BLOCK_LITERAL;
    },
  });
  return document.toString(WRITTEN);
}

/** A text for fields, in the order of a person's interest. */
export function newText(fields: Fields): string {
  const order = ['name', 'description', 'query', 'parameters'];
  const given = Object.entries(fields).filter(([key, value]) => !ASSIGNED.includes(key) && value !== undefined);
  const first = order.flatMap((key) => given.filter(([each]) => each === key));
  return stringify(Object.fromEntries([...first, ...given]), { ...WRITTEN, blockQuote: 'literal' });
}
