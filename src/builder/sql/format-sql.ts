/**
 * Formats SQL: clauses and pipe operators begin a line, long lists and conditions have one line per part, nested
 * queries are indented. Changes only white space between tokens; words, texts, comments, macros and variables keep
 * every byte, and thereby their meaning.
 */
import { opensQuery, PIPE, startsClause, startsJoin, wordAt } from './sql-clauses';
import { isSpacedAt } from './sql-spaces';
import { tokenizeSql, type SqlToken } from './sql-tokens';

const WIDTH = 80;
const STEP = '  ';

/** Pipe operators and clauses with lists, of which each part has its own line. */
const LISTS = new Set(['select', 'group', 'order', 'extend', 'aggregate', 'set']);

/** @returns undefined for an unterminated quote or comment */
export function formatSql(text: string): string | undefined {
  const tokens = tokenizeSql(text);
  if (!tokens) return undefined;
  const laidOut = new Layout(tokens).print();
  const again = tokenizeSql(laidOut);
  const isSame = again?.length === tokens.length && again.every((token, at) => token.text === tokens[at]!.text);
  return isSame ? laidOut : text;
}

interface Level {
  /** Indentation of its clauses. */
  readonly indent: string;
  /** Whether the parentheses contain a query, not arguments. */
  readonly isQuery: boolean;
  /** Current clause. */
  clause: string;
  /** Whether it belongs to a pipe operator. */
  isPipe: boolean;
  /** Whether each part of the clause has its own line. */
  isSpread: boolean;
  /** Open BETWEENs, each of which consumes one AND. */
  betweens: number;
  /** Open CASEs, whose keywords do not break the line. */
  cases: number;
}

class Layout {
  private readonly lines: string[] = [];
  private line = '';
  private readonly levels: Level[] = [level('', true)];

  constructor(private readonly tokens: readonly SqlToken[]) {}

  print(): string {
    this.tokens.forEach((token, at) => this.write(token, at));
    this.endLine();
    return this.lines.join('\n');
  }

  private write(token: SqlToken, at: number): void {
    const here = this.levels[this.levels.length - 1]!;
    const previous = this.tokens[at - 1];
    const word = wordAt(this.tokens, at);
    if (token.kind === 'comment') return this.writeComment(token, here);
    if (token.text === ')') return this.close(token, at);
    if (here.isQuery && here.cases === 0 && startsClause(this.tokens, at)) {
      here.clause = word === PIPE ? wordAt(this.tokens, at + 1) : word;
      here.isSpread = this.isLong(at, here);
      here.betweens = 0;
      here.isPipe = word === PIPE || (here.isPipe && word === 'group');
      const isInner = startsJoin(this.tokens, at) || (here.isPipe && word !== PIPE);
      this.startLine(here.indent + (isInner ? STEP : ''));
    } else if (here.isQuery && here.isSpread && this.startsPart(word, previous, here))
      this.startLine(here.indent + (here.clause === 'with' ? '' : STEP));
    if (word === 'between') here.betweens += 1;
    else if (word === 'and' && here.betweens > 0) here.betweens -= 1;
    else if (word === 'case') here.cases += 1;
    else if (word === 'end' && here.cases > 0) here.cases -= 1;
    this.append(token, at);
    if (token.text === '(') this.open(at, here);
  }

  private startsPart(word: string, previous: SqlToken | undefined, { clause, betweens, cases }: Level): boolean {
    if (LISTS.has(clause))
      return (
        previous?.text === ',' ||
        (clause === 'select' &&
          /^(select|distinct)$/i.test(previous?.text ?? '') &&
          word !== 'distinct' &&
          word !== 'as')
      );
    if (clause === 'with') return previous?.text === ',';
    return (
      (clause === 'where' || clause === 'having' || clause === 'qualify') &&
      cases === 0 &&
      (word === 'or' || (word === 'and' && betweens === 0))
    );
  }

  /** Whether the clause that begins here needs several lines: it is too long, or contains conditions or queries. */
  private isLong(start: number, { indent, clause }: Level): boolean {
    if (clause === 'with') return true;
    let length = indent.length;
    let depth = 0;
    for (let at = start; at < this.tokens.length; at++) {
      const { text, kind } = this.tokens[at]!;
      const word = wordAt(this.tokens, at);
      if (depth === 0 && at > start && startsClause(this.tokens, at)) break;
      depth += text === '(' ? 1 : text === ')' ? -1 : 0;
      if (depth < 0) break;
      if (kind === 'comment' || (text === '(' && opensQuery(this.tokens, at))) return true;
      length += text.length + (isSpacedAt(this.tokens, at) ? 1 : 0);
      if (depth === 0 && clause === 'where' && (word === 'and' || word === 'or') && length > WIDTH / 2) return true;
    }
    return length > WIDTH;
  }

  private open(at: number, { indent, isQuery, isSpread }: Level): void {
    const isNested = opensQuery(this.tokens, at);
    // A nested query is indented one step more than the line on which it begins.
    const inner = isNested ? (/^ */.exec(this.line)?.[0] ?? '') + STEP : indent;
    this.levels.push({ ...level(inner, isNested), isSpread: isNested && isQuery && isSpread });
  }

  private close(token: SqlToken, at: number): void {
    const closed = this.levels.length > 1 ? this.levels.pop()! : undefined;
    if (closed?.isQuery) this.startLine(closed.indent.slice(STEP.length));
    this.append(token, at);
  }

  private writeComment(token: SqlToken, { indent }: Level): void {
    const isOfLine = !token.text.startsWith('/*');
    if (token.isOnNewLine || (this.line === '' && this.lines.length > 0)) this.startLine(indent);
    this.line += `${this.line.trim() === '' ? '' : ' '}${token.text}`;
    if (isOfLine) this.endLine(indent + STEP);
  }

  private append(token: SqlToken, at: number): void {
    const isAtStart = this.line.trim() === '';
    this.line += `${!isAtStart && isSpacedAt(this.tokens, at) ? ' ' : ''}${token.text}`;
  }

  private startLine(indent: string): void {
    this.endLine(indent);
    this.line = indent;
  }

  private endLine(next = ''): void {
    if (this.line.trim() !== '') this.lines.push(this.line.trimEnd());
    this.line = next;
  }
}

function level(indent: string, isQuery: boolean): Level {
  return { indent, isQuery, clause: '', isPipe: false, isSpread: false, betweens: 0, cases: 0 };
}
