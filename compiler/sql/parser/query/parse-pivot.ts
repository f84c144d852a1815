/** Parses PIVOT and UNPIVOT, behind a table in FROM. */
import type { LiteralExpression, PathExpression } from '../../../ast/expressions';
import type { Identifier } from '../../../ast/node';
import type { DerivedTable, FromItem, PivotClause, TableReference, UnpivotClause } from '../../../ast/queries';
import { syntaxError } from '../../parse-errors';
import type { Parser } from '../parser';
import { parseSample } from './parse-sample';
import type { NonEmpty } from '../../../items';

export function atTableOperator(parser: Parser): boolean {
  if (parser.at('PIVOT', '(')) return true;
  const next = parser.lookahead(1).symbol;
  return parser.at('UNPIVOT') && (next === '(' || next === 'INCLUDE' || next === 'EXCLUDE');
}

/** Continues a table and its alias with PIVOT, UNPIVOT or TABLESAMPLE, if one follows. */
export function parseTableOperator(parser: Parser, input: TableReference | DerivedTable): FromItem {
  if (parser.at('TABLESAMPLE')) return parseSample(parser, input);
  if (!atTableOperator(parser)) return input;
  const start = input.position;
  if (parser.at('PIVOT')) {
    const pivot = parsePivotClause(parser);
    return { kind: 'pivot', input, pivot, alias: parser.alias(), position: parser.node(start) };
  }
  const unpivot = parseUnpivotClause(parser);
  return { kind: 'unpivot', input, unpivot, alias: parser.alias(), position: parser.node(start) };
}

/** Parses `PIVOT (..)`; the next token is PIVOT. */
export function parsePivotClause(parser: Parser): PivotClause {
  const start = parser.expect('PIVOT').position;
  parser.expect('(');
  const aggregates = parser.list(() => ({ expression: parser.expression(), alias: parser.alias() }));
  parser.expect('FOR');
  const key = parser.operand();
  parser.expect('IN');
  parser.expect('(');
  const values = parser.list(() => ({ expression: parser.expression(), alias: parser.alias() }));
  parser.ensureWithin('maxOutputColumns', values.length * aggregates.length);
  parser.expect(')');
  parser.expect(')');
  return { aggregates, key, values, position: parser.node(start) };
}

/** Parses `UNPIVOT [INCLUDE | EXCLUDE NULLS] (..)`; the next token is UNPIVOT. */
export function parseUnpivotClause(parser: Parser): UnpivotClause {
  const start = parser.expect('UNPIVOT').position;
  const includeNulls = parser.accept('INCLUDE');
  if (includeNulls || parser.accept('EXCLUDE')) parser.expect('NULLS');
  parser.expect('(');
  const values = parseGroup(parser, () => parser.name());
  parser.expect('FOR');
  const name = parser.name();
  parser.expect('IN');
  parser.expect('(');
  const columns = parser.list(() => {
    const at = parser.token.position;
    const paths = parseGroup(parser, () => parseColumn(parser));
    if (paths.length !== values.length) {
      throw syntaxError(at, `UNPIVOT needs ${values.length} of its columns here, found ${paths.length}`);
    }
    return { paths, label: parseLabel(parser) };
  });
  parser.ensureWithin('maxOutputColumns', columns.length);
  parser.expect(')');
  parser.expect(')');
  return { includeNulls, values, name, columns, position: parser.node(start) };
}

/** One item, or several in parentheses. */
function parseGroup<Item>(parser: Parser, read: () => Item): NonEmpty<Item> {
  if (!parser.accept('(')) return [read()];
  const items = parser.list(read);
  parser.expect(')');
  return items;
}

function parseColumn(parser: Parser): PathExpression {
  const start = parser.token.position;
  const parts: [Identifier, ...Identifier[]] = [parser.name('a column')];
  while (parser.accept('.')) parts.push(parser.nameAfterDot());
  return { kind: 'path', parts, position: parser.node(start) };
}

/** `[AS] 'text'` or `[AS] 1`. */
function parseLabel(parser: Parser): LiteralExpression | null {
  const written = parser.accept('AS');
  const { kind } = parser.token;
  if (kind !== 'string' && kind !== 'integer') {
    if (written) throw parser.unexpected('a text or a whole number');
    return null;
  }
  const label = parser.operand();
  if (label.kind !== 'literal') throw syntaxError(label.position, 'a label of UNPIVOT is a text or a whole number');
  return label;
}
