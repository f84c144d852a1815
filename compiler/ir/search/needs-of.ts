/** Texts that a column must hold for a condition to be true. NULL meets no such condition. */
import { type Constant, constantOf } from '../constant';
import { isCall } from '../operations/call';
import type { CallExpr, ColumnExpr, Expr } from '../expression';
import { itemAt } from '../../items';
import { likePieces } from './like-pieces';
import { allOf, anyOf, type Need } from './needs';
import { patternTexts, type PatternTexts } from './pattern-texts';

/** Conditions may share expressions, so their number can be exponential in the length of the text. */
const MAX_NODES = 2_000;

type Match = Pick<Extract<Need, { kind: 'text' }>, 'isWhole' | 'anyCase'>;

const SOMEWHERE: Match = { isWhole: false, anyCase: false };
const WHOLE: Match = { isWhole: true, anyCase: false };
const ANY_CASE: Match = { isWhole: false, anyCase: true };

/** What rows must hold for which a condition is true. @returns undefined if nothing is known */
export function needsOf(conditions: readonly Expr[]): Need | undefined {
  const reader = new ConditionReader();
  return allOf(conditions.map((condition) => reader.need(condition)));
}

class ConditionReader {
  private nodes = 0;

  need(expr: Expr): Need | undefined {
    this.nodes += 1;
    if (expr.kind !== 'call' || this.nodes > MAX_NODES) return undefined;
    switch (expr.fn) {
      case 'and':
        return allOf(expr.args.map((arg) => this.need(arg)));
      case 'or':
        return anyOf(expr.args.map((arg) => this.need(arg)));
      case 'is_true':
        return this.need(expr.args[0]!);
      case 'eq':
        return equality(expr.args) ?? position(expr);
      case 'in_list':
        return anyOf(expr.args.slice(1).map((choice) => equality([expr.args[0]!, choice])));
      case 'contains':
      case 'starts_with':
      case 'ends_with':
        return holds(expr.args, SOMEWHERE);
      case 'contains_substr':
        return holds(expr.args, ANY_CASE);
      case 'like':
        return isCall(expr, 'like') ? like(expr) : undefined;
      case 'regexp_contains':
        return pattern(expr.args);
      default:
        return position(expr);
    }
  }
}

/** @param args the text that is searched, and what for */
function holds([text, part]: readonly Expr[], match: Match): Need | undefined {
  const wanted = textOrIntegerOf(part);
  return typeof wanted === 'string' ? test(text, wanted, match) : undefined;
}

function equality([one, other]: readonly Expr[]): Need | undefined {
  return holds([one!, other!], WHOLE) ?? holds([other!, one!], WHOLE);
}

function like({ args: [text, part], options }: CallExpr<'like'>): Need | undefined {
  const wanted = textOrIntegerOf(part);
  const found = typeof wanted === 'string' ? likePieces(wanted) : undefined;
  if (found === undefined) return undefined;
  const match = { isWhole: found.isWhole, anyCase: options.caseInsensitive };
  return allOf(found.pieces.map((piece) => test(text, piece, match)));
}

function pattern([text, part]: readonly Expr[]): Need | undefined {
  const wanted = textOrIntegerOf(part);
  const texts = typeof wanted === 'string' ? patternTexts(wanted) : undefined;
  const needOf = (found: PatternTexts): Need | undefined => {
    if (found.kind === 'piece') return test(text, found.text, found.anyCase ? ANY_CASE : SOMEWHERE);
    return (found.kind === 'all' ? allOf : anyOf)(found.of.map(needOf));
  };
  return texts && needOf(texts);
}

type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
};

/** `STRPOS(text, part) > 0`, and the like: comparisons that are false for a position of 0. */
function position(expr: Expr): Need | undefined {
  if (!isCall(expr, 'eq', 'ne', 'lt', 'le', 'gt', 'ge')) return undefined;
  const [left, right] = [itemAt(expr.args, 0), itemAt(expr.args, 1)];
  const isLeft = isCall(left, 'strpos', 'strpos_from');
  const [searched, bound] = isLeft ? [left, right] : [right, left];
  const value = textOrIntegerOf(bound);
  if (!isCall(searched, 'strpos', 'strpos_from') || typeof value !== 'bigint') return undefined;
  if (isTrueOfZero(isLeft ? expr.fn : MIRRORED[expr.fn], value)) return undefined;
  return holds(searched.args, SOMEWHERE);
}

function isTrueOfZero(comparison: Comparison, value: bigint): boolean {
  switch (comparison) {
    case 'eq':
      return value === 0n;
    case 'ne':
      return value !== 0n;
    case 'lt':
      return value > 0n;
    case 'le':
      return value >= 0n;
    case 'gt':
      return value < 0n;
    case 'ge':
      return value <= 0n;
  }
}

function test(searched: Expr | undefined, text: string, match: Match): Need | undefined {
  const lower = searched !== undefined && isCall(searched, 'lower') ? searched.args[0] : undefined;
  const column = lower ?? searched;
  // A text with half of a surrogate pair reaches the store as another one.
  if (text === '' || !isTextColumn(column) || !text.isWellFormed()) return undefined;
  const { relation, name } = column;
  const own = lower === undefined ? match : { isWhole: false, anyCase: true };
  return { kind: 'text', relation, column: name, text, ...own };
}

function isTextColumn(expr: Expr | undefined): expr is ColumnExpr {
  return expr?.kind === 'column' && expr.type.kind === 'STRING';
}

function textOrIntegerOf(expr: Expr | undefined): Constant | undefined {
  // Constants of other types are texts, too: those of bytes are hexadecimal digits.
  return expr?.type.kind === 'STRING' || expr?.type.kind === 'INT64' ? constantOf(expr)?.value : undefined;
}
