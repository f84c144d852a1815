/**
 * Reads parameters and tables of SQL, and renames tables, token by token. Strings and comments are no tokens of names,
 * so nothing in them is taken for one. Texts with errors are read as far as possible; the server refuses them.
 */
import { readSources, RESERVED_WORDS, type TemplateToken, tokenizeTemplate } from '#compiler/browser';

/** A table that a text reads, without named tables of WITH and arrays of other tables. */
export interface TableName {
  /** Parts joined by dots, without quotes. */
  readonly name: string;
  /** Range of the name in the text, quotes included. */
  readonly offset: number;
  readonly end: number;
  readonly isQuoted: boolean;
  readonly hasAlias: boolean;
}

/** @returns names of `@parameters` in the order of their first use */
export function parameterNames(sql: string): readonly string[] {
  const names = tokenizeTemplate(sql).flatMap(({ kind, text }) =>
    kind === 'variable' && text.startsWith('@') ? [text.slice(1)] : []
  );
  return [...new Set(names)];
}

export function tablesOf(sql: string): readonly TableName[] {
  const tokens = tokenizeTemplate(sql).filter(({ kind }) => kind !== 'comment');
  const indexByOffset = new Map(tokens.map(({ offset }, index) => [offset, index]));
  const ends = closingParentheses(tokens);
  const named = namedTables(tokens, ends);
  const aliases = new Set<string>();
  return readSources(tokens).flatMap(({ kind, path, alias, offset }): readonly TableName[] => {
    const [first = ''] = path;
    const isPart = path.length > 1 && aliases.has(first.toLowerCase());
    aliases.add((alias ?? lastPart(path.join('.'))).toLowerCase());
    const isNamed = path.length === 1 && named.some((table) => isVisible(table, first, offset));
    if (kind !== 'table' || path.length === 0 || isPart || isNamed || isInExtract(tokens, ends, offset)) return [];
    const range = pathRange(tokens, indexByOffset.get(offset)!, path.length);
    return [{ name: path.join('.'), offset, hasAlias: alias !== undefined, ...range }];
  });
}

export interface Renamed {
  readonly sql: string;
  /** Old and new name of each table that was renamed. */
  readonly renamed: ReadonlyMap<string, string>;
}

/**
 * Renames tables. A name in backticks stays in backticks. Where columns are qualified by the old name, it becomes the
 * alias of the new one.
 *
 * @param mapping new names by old ones
 */
export function renameTables(sql: string, mapping: ReadonlyMap<string, string>): Renamed {
  const tables = tablesOf(sql);
  const tokens = tokenizeTemplate(sql);
  const renamed = new Map<string, string>();
  let text = sql;
  for (const table of [...tables].reverse()) {
    const next = mapping.get(table.name);
    if (next === undefined) continue;
    renamed.set(table.name, next);
    const former = lastPart(table.name);
    const needsAlias = !table.hasAlias && former !== lastPart(next) && isQualifier(former, tokens, tables);
    const written = quoted(next, table.isQuoted) + (needsAlias ? ` AS ${quoted(former, table.isQuoted)}` : '');
    text = text.slice(0, table.offset) + written + text.slice(table.end);
  }
  return { sql: text, renamed };
}

function quoted(name: string, isQuoted: boolean): string {
  const isPlain = name
    .split('.')
    .every((part) => /^[A-Za-z_]\w*$/.test(part) && !RESERVED_WORDS.has(part.toUpperCase()));
  return isPlain && !isQuoted ? name : `\`${name}\``;
}

/** Name that columns of a table without an alias are qualified by. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function isQualifier(name: string, tokens: readonly TemplateToken[], tables: readonly TableName[]): boolean {
  return tokens.some(
    ({ kind, value, offset }, index) =>
      (kind === 'word' || kind === 'name') &&
      value.toLowerCase() === name.toLowerCase() &&
      tokens[index + 1]?.symbol === '.' &&
      tokens[index - 1]?.symbol !== '.' &&
      !tables.some((table) => offset >= table.offset && offset < table.end)
  );
}

/** `EXTRACT(DAY FROM timestamp)`. */
function isInExtract(tokens: readonly TemplateToken[], ends: ReadonlyMap<number, number>, offset: number): boolean {
  for (const [start, end] of ends)
    if (tokens[start - 1]?.symbol === 'EXTRACT' && tokens[start]!.offset < offset && offset < tokens[end]!.offset) {
      const inner = tokens.slice(start, end);
      if (!inner.some(({ symbol }) => symbol === 'SELECT')) return true;
    }
  return false;
}

/** A table of WITH, and the part of the text that sees it. */
interface NamedTable {
  readonly name: string;
  readonly from: number;
  readonly until: number;
}

function isVisible({ name, from, until }: NamedTable, written: string, offset: number): boolean {
  return name.toLowerCase() === written.toLowerCase() && offset >= from && offset < until;
}

function namedTables(tokens: readonly TemplateToken[], ends: ReadonlyMap<number, number>): readonly NamedTable[] {
  return tokens.flatMap(({ symbol }, at) => (symbol === 'WITH' ? readWith(tokens, at, ends) : []));
}

function readWith(
  tokens: readonly TemplateToken[],
  start: number,
  ends: ReadonlyMap<number, number>
): readonly NamedTable[] {
  const isRecursive = tokens[start + 1]?.symbol === 'RECURSIVE';
  const until = tokens[enclosingEnd(start, ends)]?.offset ?? Number.POSITIVE_INFINITY;
  const tables: NamedTable[] = [];
  for (let at = start + (isRecursive ? 2 : 1); tokens[at + 1]?.symbol === 'AS' && tokens[at + 2]?.symbol === '(';) {
    const close = ends.get(at + 2);
    if (close === undefined) break;
    // A table sees itself only when it is recursive.
    tables.push({ name: tokens[at]!.value, from: isRecursive ? 0 : tokens[close]!.end, until });
    if (tokens[close + 1]?.symbol !== ',') break;
    at = close + 2;
  }
  return tables;
}

/** Indices of the parentheses that close others, by the index of the opening one. */
function closingParentheses(tokens: readonly TemplateToken[]): ReadonlyMap<number, number> {
  const open: number[] = [];
  const ends = new Map<number, number>();
  tokens.forEach(({ symbol }, at) => {
    if (symbol === '(') open.push(at);
    const opening = symbol === ')' ? open.pop() : undefined;
    if (opening !== undefined) ends.set(opening, at);
  });
  return ends;
}

/** Index of the parenthesis that closes the innermost one around a token; -1 without one. */
function enclosingEnd(at: number, ends: ReadonlyMap<number, number>): number {
  let innermost = -1;
  for (const [start, end] of ends) if (start < at && end > at && (innermost === -1 || end < innermost)) innermost = end;
  return innermost;
}

function pathRange(
  tokens: readonly TemplateToken[],
  start: number,
  parts: number
): { readonly end: number; readonly isQuoted: boolean } {
  let at = start;
  let isQuoted = false;
  for (let part = 0; part < parts; part += 1) {
    if (part > 0) at += 1;
    do {
      isQuoted ||= tokens[at]!.kind === 'name';
      at += 1;
    } while (
      at < tokens.length &&
      tokens[at]!.symbol !== '.' &&
      tokens[at]!.offset === tokens[at - 1]!.end &&
      isName(tokens[at]!)
    );
  }
  return { end: tokens[at - 1]!.end, isQuoted };
}

function isName({ kind }: TemplateToken): boolean {
  return kind === 'name' || kind === 'word' || kind === 'variable';
}
