/**
 * Formats SQL: clauses and pipe operators begin a line, long lists and conditions have one line per part, nested
 * queries are indented. Changes only white space between tokens; words, texts, comments, macros and variables keep
 * every byte, and thereby their meaning.
 */
import { tokenizeSql, type SqlToken } from './sql-tokens';

const WIDTH = 80;
const STEP = '  ';

/** Keywords that begin a clause; `by` and the like follow on the same line. */
const CLAUSES = new Set(['select', 'from', 'where', 'group', 'having', 'qualify', 'order', 'limit', 'with']);
const SET_OPERATORS = new Set(['union', 'intersect']);
const PIPE = '|>';
/** Pipe operators and clauses with lists, of which each part has its own line. */
const LISTS = new Set(['select', 'group', 'order', 'extend', 'aggregate', 'set']);
const JOINS = new Set(['join', 'cross', 'inner', 'left', 'right', 'full']);
/** Words before a parenthesis that is not a call. */
const BEFORE_BRACKET = new Set(
  `select from where having qualify on and or not in as by is like ilike between when then else case join using
   over all any some except replace distinct union intersect limit offset with values `.split(/\s+/)
);

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
    const word = token.kind === 'word' ? token.text.toLowerCase() : token.kind === 'operator' ? token.text : '';
    if (token.kind === 'comment') return this.writeComment(token, here);
    if (token.text === ')') return this.close(token, at);
    if (here.isQuery && here.cases === 0 && this.startsClause(word, at)) {
      here.clause = word === PIPE ? this.wordAt(at + 1) : word;
      here.isSpread = this.isLong(at, here);
      here.betweens = 0;
      here.isPipe = word === PIPE || (here.isPipe && word === 'group');
      const isInner = this.startsJoin(at) || word === ',' || (here.isPipe && word !== PIPE);
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

  private startsClause(word: string, at: number): boolean {
    const next = this.wordAt(at + 1);
    const before = this.wordAt(at - 1);
    if (at === 0) return true;
    if (word === PIPE) return true;
    if (this.tokens[at - 1]?.text === '.' || this.tokens[at - 1]?.text === PIPE) return false;
    if (this.isSetOperator(at)) return !this.isSetMode(at - 1) && !(before === 'outer' && this.isSetMode(at - 2));
    if (this.isSetMode(at)) return true;
    if (word === 'left' || word === 'right') return next === 'join' || next === 'outer';
    if (word === 'join') return !JOINS.has(before) && before !== 'outer';
    if (JOINS.has(word)) return true;
    if (word === 'from') return before !== 'distinct';
    if (word === 'group' && next === 'and') return this.wordAt(at + 2) === 'order';
    if (word === 'order' && before === 'and' && this.wordAt(at - 2) === 'group') return false;
    return (
      CLAUSES.has(word) &&
      (word !== 'group' && word !== 'order' ? next !== 'offset' : next === 'by') &&
      !(word === 'with' && next === 'offset')
    );
  }

  private isSetOperator(at: number): boolean {
    const word = this.wordAt(at);
    return SET_OPERATORS.has(word) || (word === 'except' && /^(distinct|all)$/.test(this.wordAt(at + 1)));
  }

  /** The FULL of `full outer union all`. */
  private isSetMode(at: number): boolean {
    if (!/^(inner|left|full)$/.test(this.wordAt(at))) return false;
    return this.isSetOperator(this.wordAt(at + 1) === 'outer' ? at + 2 : at + 1);
  }

  private startsJoin(at: number): boolean {
    return JOINS.has(this.wordAt(at)) && !this.isSetMode(at);
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
      const word = this.wordAt(at);
      if (depth === 0 && at > start && this.startsClause(text === PIPE ? PIPE : word, at)) break;
      depth += text === '(' ? 1 : text === ')' ? -1 : 0;
      if (depth < 0) break;
      if (kind === 'comment' || (text === '(' && this.opensQuery(at))) return true;
      length += text.length + (this.isSpacedAt(at) ? 1 : 0);
      if (depth === 0 && clause === 'where' && (word === 'and' || word === 'or') && length > WIDTH / 2) return true;
    }
    return length > WIDTH;
  }

  private opensQuery(at: number): boolean {
    let next = at + 1;
    while (this.tokens[next]?.kind === 'comment' || this.tokens[next]?.text === '(') next += 1;
    return /^(select|with|from)$/.test(this.wordAt(next));
  }

  private open(at: number, { indent, isQuery, isSpread }: Level): void {
    const isNested = this.opensQuery(at);
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
    this.line += `${!isAtStart && this.isSpacedAt(at) ? ' ' : ''}${token.text}`;
  }

  /** Whether a token inside a line is preceded by a space. */
  private isSpacedAt(at: number): boolean {
    const token = this.tokens[at]!;
    const before = this.tokens[at - 1];
    if (!before) return false;
    if (before.kind === 'comment') return true;
    const { text } = token;
    if (text === ',' || text === ')' || text === ']' || text === ';' || before.text === '(' || before.text === '[')
      return false;
    if (text === '.' || before.text === '.') return token.isSpaced && !(isName(before) || isName(token));
    if (text === '::' || before.text === '::') return false;
    if (text === '[') return token.isSpaced && !isName(before) && before.text !== ')';
    if (text === '(') {
      if (before.kind === 'word') return BEFORE_BRACKET.has(before.text.toLowerCase()) || this.isNamedQuery(at);
      return before.kind === 'name' || before.kind === 'operator'
        ? before.kind === 'operator' || token.isSpaced
        : false;
    }
    if (this.isUnary(at - 1)) return token.isSpaced && (text === '-' || text === '+');
    if (before.text === ',' || (token.kind !== 'operator' && before.kind !== 'operator'))
      return before.text === ',' || token.isSpaced;
    // The angle brackets of ARRAY<STRING> are not comparisons.
    if (/[<>]/.test(text) && !token.isSpaced && /^(array|struct)$/i.test(before.text)) return false;
    return true;
  }

  /** Excludes `array(select ..)` and `exists(select ..)`. */
  private isNamedQuery(at: number): boolean {
    return this.opensQuery(at) && /^(array|exists)$/i.test(this.tokens[at - 1]?.text ?? '') === false;
  }

  private isUnary(at: number): boolean {
    const { text, kind } = this.tokens[at]!;
    if (kind !== 'operator' || (text !== '-' && text !== '+' && text !== '~')) return false;
    const before = this.tokens[at - 1];
    if (!before || before.kind === 'comment') return true;
    return before.kind === 'operator'
      ? !/^[)\]]$/.test(before.text)
      : before.kind === 'word' && BEFORE_BRACKET.has(before.text.toLowerCase());
  }

  private wordAt(at: number): string {
    const token = this.tokens[at];
    return token?.kind === 'word' ? token.text.toLowerCase() : '';
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

function isName({ kind }: SqlToken): boolean {
  return kind === 'word' || kind === 'name' || kind === 'variable';
}
