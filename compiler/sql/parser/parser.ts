/**
 * Parser state: a cursor over the tokens, and the limits that are checked at each step. The grammar files take it as
 * their first argument and call one another through `grammar`, which avoids import cycles.
 */
import type { ServiceError } from '#contract/errors';
import type { Expression } from '../../ast/expressions';
import type { Identifier, SourcePosition } from '../../ast/node';
import type { QueryBody, QueryExpression } from '../../ast/queries';
import type { Token } from '../lexer/token';
import { tooComplex } from '../parse-errors';
import type { ParseLimits } from '../parse-limits';
import { RESERVED_WORDS } from '../reserved-words';
import { bracketHint } from './syntax-hints';
import { unexpectedToken } from './unexpected-token';

/** Grammar rules used recursively. */
export interface Grammar {
  expression(parser: Parser): Expression;
  /** An operand of a comparison. */
  operand(parser: Parser): Expression;
  /** Continues after a parsed operand, which starts at `start`, parentheses included. */
  expressionFrom(parser: Parser, operand: Expression, start: SourcePosition): Expression;
  query(parser: Parser): QueryExpression;
  /** Continues after a parsed query in parentheses: set operators, ORDER BY, LIMIT. */
  queryFrom(parser: Parser, body: QueryBody, start: SourcePosition): QueryExpression;
}

export type CountedLimit =
  'maxNodes' | 'maxJoins' | 'maxSubqueries' | 'maxSetBranches' | 'maxCommonTables' | 'maxPipeOperators';

export class Parser {
  private index = 0;
  private depth = 0;
  private readonly counts: Record<CountedLimit, number> = {
    maxNodes: 0,
    maxJoins: 0,
    maxSubqueries: 0,
    maxSetBranches: 0,
    maxCommonTables: 0,
    maxPipeOperators: 0,
  };
  private readonly last: Token;

  constructor(
    private readonly tokens: readonly Token[],
    readonly limits: ParseLimits,
    private readonly grammar: Grammar
  ) {
    const last = tokens.at(-1);
    if (last?.kind !== 'end') throw new Error('the tokens must end with an end token');
    this.last = last;
  }

  /** The next token. */
  get token(): Token {
    return this.lookahead(0);
  }

  lookahead(distance: number): Token {
    return this.tokens[this.index + distance] ?? this.last;
  }

  advance(): Token {
    const token = this.token;
    if (token.kind !== 'end') this.index += 1;
    return token;
  }

  /** Whether the next tokens are these words or operators. */
  at(...symbols: readonly string[]): boolean {
    return symbols.every((symbol, distance) => this.lookahead(distance).symbol === symbol);
  }

  atAny(symbols: ReadonlySet<string>): boolean {
    return symbols.has(this.token.symbol);
  }

  accept(symbol: string): boolean {
    if (this.token.symbol !== symbol) return false;
    this.advance();
    return true;
  }

  expect(symbol: string): Token {
    if (this.token.symbol !== symbol) throw this.unexpected(/^\w/.test(symbol) ? symbol : `"${symbol}"`);
    return this.advance();
  }

  /** Error for the next token; `expected` completes the sentence "expected ...". */
  unexpected(expected: string, hint?: string): ServiceError {
    const found = this.token;
    const otherwise = (): string | undefined => bracketHint(this.tokens.slice(0, this.index), found, expected);
    return unexpectedToken(this.lookahead(-1), found, this.lookahead(1), expected, hint, otherwise);
  }

  atName(): boolean {
    const { kind, symbol } = this.token;
    return kind === 'quoted-name' || (kind === 'word' && !RESERVED_WORDS.has(symbol));
  }

  name(expected = 'a name'): Identifier {
    if (!this.atName()) throw this.unexpected(expected);
    return this.identifier();
  }

  /** After a dot, reserved words are names too. */
  nameAfterDot(): Identifier {
    const { kind } = this.token;
    if (kind !== 'quoted-name' && kind !== 'word') throw this.unexpected('a name');
    return this.identifier();
  }

  /** Parses `[AS] name`; null if there is none. */
  alias(): Identifier | null {
    // INTERVAL is reserved, but after AS it can only be a name.
    if (this.accept('AS')) return this.at('INTERVAL') ? this.identifier() : this.name();
    return this.atName() ? this.identifier() : null;
  }

  /** Parses one or more comma-separated items. */
  list<Item>(read: () => Item): [Item, ...Item[]] {
    const items: [Item, ...Item[]] = [read()];
    while (this.accept(',')) items.push(read());
    return items;
  }

  expression(): Expression {
    this.enter();
    const expression = this.grammar.expression(this);
    this.leave();
    return expression;
  }

  /** An expression that ends before a comparison. */
  operand(): Expression {
    this.enter();
    const operand = this.grammar.operand(this);
    this.leave();
    return operand;
  }

  expressionFrom(operand: Expression, start: SourcePosition): Expression {
    return this.grammar.expressionFrom(this, operand, start);
  }

  query(): QueryExpression {
    this.enter();
    const query = this.grammar.query(this);
    this.leave();
    return query;
  }

  queryFrom(body: QueryBody, start: SourcePosition): QueryExpression {
    return this.grammar.queryFrom(this, body, start);
  }

  /**
   * Position of a node that starts at `start` and ends with the last token. Called once per node, so it counts nodes.
   */
  node(start: SourcePosition): SourcePosition {
    this.count('maxNodes');
    const { end } = this.lookahead(-1).position;
    return { offset: start.offset, end, line: start.line, column: start.column };
  }

  count(limit: CountedLimit): void {
    this.counts[limit] += 1;
    this.ensureWithin(limit, this.counts[limit]);
  }

  ensureWithin(limit: keyof ParseLimits, value: number): void {
    if (value > this.limits[limit]) throw tooComplex(this.token.position, limit, this.limits[limit]);
  }

  /** Enters a level of depth. Not undone after an error, which ends the parse. */
  enter(): void {
    this.depth += 1;
    this.ensureWithin('maxDepth', this.depth);
  }

  leave(levels = 1): void {
    this.depth -= levels;
  }

  /** The next token as a name; the caller has checked that it is one. */
  identifier(): Identifier {
    const { kind, value, position } = this.advance();
    this.count('maxNodes');
    return { name: value, quoted: kind === 'quoted-name', position };
  }
}
