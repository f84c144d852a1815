/** GROUP BY of `|> AGGREGATE`: the columns that it adds to the result, and the grouping over them. */
import type { AggregateItem, Expression, GroupBy, GroupingItem, PipeGroup, SourcePosition } from '../../ast';
import { failure } from '../failure';

interface PipeGroups {
  readonly groups: readonly AggregateItem[];
  /** GROUP BY of a SELECT whose first items are the groups. */
  readonly by: GroupBy;
}

/** @throws wrong_arguments for a key of grouping sets that is no name of a column */
export function pipeGroups(items: readonly PipeGroup[]): PipeGroups {
  const columns = new GroupColumns();
  const grouping = items.map((item): GroupingItem =>
    item.kind === 'select-expression' ? { kind: 'expression', expression: columns.add(item) } : columns.ofSets(item)
  );
  const plain = grouping.flatMap((item) => (item.kind === 'expression' ? [item.expression] : []));
  const by: GroupBy =
    plain.length === grouping.length ? { kind: 'items', items: plain } : { kind: 'sets', items: grouping };
  return { groups: columns.groups, by };
}

class GroupColumns {
  readonly groups: AggregateItem[] = [];
  /** Places of the keys of grouping sets by their names. */
  private readonly keys = new Map<string, number>();

  /** The number of a new column. */
  add(item: AggregateItem): Expression {
    this.groups.push(item);
    return ordinal(this.groups.length - 1, item.expression.position);
  }

  ofSets<Item extends GroupingItem>(item: Item): GroupingItem {
    switch (item.kind) {
      case 'expression':
        return { ...item, expression: this.keyOrKeys(item.expression) };
      case 'empty':
        return item;
      case 'rollup':
      case 'cube':
        return { ...item, items: item.items.map((key) => this.keyOrKeys(key)) };
      case 'grouping-sets':
        return { ...item, items: item.items.map((inner) => this.ofSets(inner)) };
    }
  }

  private keyOrKeys(expression: Expression): Expression {
    if (expression.kind !== 'tuple') return this.key(expression);
    return { ...expression, items: expression.items.map((key) => this.key(key)) };
  }

  private key(expression: Expression): Expression {
    if (expression.kind !== 'path') {
      throw failure(
        'wrong_arguments',
        'ROLLUP, CUBE and GROUPING SETS take names of columns here',
        expression.position,
        {
          hint: 'compute the column with |> EXTEND ... AS name',
        }
      );
    }
    const name = expression.parts.map((part) => part.name.toLowerCase()).join('\n');
    const place = this.keys.get(name);
    if (place !== undefined) return ordinal(place, expression.position);
    this.keys.set(name, this.groups.length);
    const { position } = expression;
    return this.add({ kind: 'select-expression', expression, alias: null, order: null, position });
  }
}

/** The number of a select item. */
export function ordinal(index: number, position: SourcePosition): Expression {
  return { kind: 'literal', literal: { type: 'integer', digits: String(index + 1) }, position };
}
