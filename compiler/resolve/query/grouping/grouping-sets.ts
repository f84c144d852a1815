/** Keys and sets of GROUP BY with ROLLUP, CUBE, GROUPING SETS and `()`. */
import type { Expression, GroupingItem, SourcePosition } from '../../../ast';
import type { Value } from '../../../functions/function';
import { isConstant } from '../../../ir/operations/call';
import { expressionKey } from '../../../ir/passes/expression-key';
import type { Expr } from '../../../ir/expression';
import { failure } from '../../failure';
import type { Resolution } from '../../resolution';

/**
 * Maximum number of grouping sets of a statement: a CUBE of five keys. Each set is an aggregation of its own over all
 * rows; DuckDB computes all at once, in memory that its limit counts only in part.
 */
export const MAX_GROUPING_SETS = 32;

export interface GroupingSets {
  readonly keys: readonly Expr[];
  /** Positions in `keys`. */
  readonly sets: readonly (readonly number[])[];
}

/** Plain GROUP BY. */
export function oneSet(keys: readonly Expr[]): GroupingSets {
  return { keys, sets: [keys.map((_, index) => index)] };
}

/** Several keys that ROLLUP and CUBE add and drop together. */
type Part = readonly number[];

/**
 * @param position of the block
 * @throws too_complex when the statement has too many sets; not_supported for equal constants
 */
export function groupingSets(
  items: readonly GroupingItem[],
  resolve: (item: Expression) => Value,
  resolution: Resolution,
  position: SourcePosition
): GroupingSets {
  const groups = new SetReader(resolve).read(items);
  resolution.groupingSets += groups.sets.length;
  const [first] = items;
  ensureFew(resolution.groupingSets, first ? positionOf(first) : position);
  return groups;
}

class SetReader {
  private readonly keys = new Map<string, Expr>();
  /** How keys were written, by their expression. */
  private readonly constants = new Map<string, string>();

  constructor(private readonly resolve: (item: Expression) => Value) {}

  read(items: readonly GroupingItem[]): GroupingSets {
    let sets: readonly Part[] = [[]];
    for (const item of items) {
      const added = this.sets(item);
      ensureFew(sets.length * added.length, positionOf(item));
      sets = sets.flatMap((set) => added.map((more) => [...new Set([...set, ...more])]));
    }
    return { keys: [...this.keys.values()], sets };
  }

  private sets(item: GroupingItem): readonly Part[] {
    switch (item.kind) {
      case 'expression':
        return [this.part(item.expression)];
      case 'empty':
        return [[]];
      case 'rollup': {
        const parts = item.items.map((expression) => this.part(expression));
        ensureFew(parts.length + 1, item.position);
        return parts
          .reduceRight<Part[]>((sets, _, index) => [...sets, parts.slice(0, index + 1).flat()], [])
          .concat([[]]);
      }
      case 'cube': {
        const parts = item.items.map((expression) => this.part(expression));
        ensureFew(2 ** parts.length, item.position);
        return parts.reduce<Part[]>((sets, part) => [...sets.map((set) => [...set, ...part]), ...sets], [[]]);
      }
      case 'grouping-sets': {
        const sets: Part[] = [];
        for (const inner of item.items) {
          sets.push(...this.sets(inner));
          ensureFew(sets.length, item.position);
        }
        return sets;
      }
    }
  }

  private part(item: Expression): Part {
    return item.kind === 'tuple' ? item.items.map((key) => this.key(key)) : [this.key(item)];
  }

  private key(item: Expression): number {
    const { expr } = this.resolve(item);
    const key = expressionKey(expr);
    const text = writtenAs(item);
    // Columns that are constants of a derived table are read as these: which of two a select item means is lost.
    if (isConstant(expr) && (this.constants.get(key) ?? text) !== text) {
      throw failure('not_supported', 'two keys of GROUP BY are the same constant', item.position, {
        hint: 'leave constants out of ROLLUP, CUBE and GROUPING SETS',
      });
    }
    this.constants.set(key, text);
    if (!this.keys.has(key)) this.keys.set(key, expr);
    return [...this.keys.keys()].indexOf(key);
  }
}

function ensureFew(sets: number, position: SourcePosition): void {
  if (sets <= MAX_GROUPING_SETS) return;
  throw failure('too_complex', `the query has more than ${MAX_GROUPING_SETS} grouping sets`, position, {
    maximum: MAX_GROUPING_SETS,
    hint: 'write the sets that are needed: GROUPING SETS ((a, b), a, ())',
  });
}

function writtenAs(item: Expression): string {
  if (item.kind === 'path') return item.parts.map(({ name }) => name.toLowerCase()).join('.');
  return `${item.position.line}:${item.position.column}`;
}

function positionOf(item: GroupingItem): SourcePosition {
  return item.kind === 'expression' ? item.expression.position : item.position;
}
