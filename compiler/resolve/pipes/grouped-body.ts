/** `|> AGGREGATE` and `|> DISTINCT` as a SELECT over what the operators before them have resolved. */
import type {
  AggregateItem,
  Expression,
  OrderItem,
  PipeAggregate,
  PipeStep,
  SelectBody,
  SourcePosition,
} from '../../ast';
import { emptyBody, selectAll } from '../../ast/select';
import { lookupFunction } from '../../functions/catalog';
import { failure } from '../failure';
import { impliedName } from '../names/select-columns';
import type { Tail } from '../query/order/tail';
import { ordinal, pipeGroups } from './pipe-groups';
import { mentionsOf } from './step-mentions';

export interface GroupedBody {
  readonly body: SelectBody;
  /** Names of the columns: groups, then aggregates. */
  readonly names: readonly string[];
  /** The order that ASC and DESC behind its items set. */
  readonly orderBy: readonly OrderItem[];
}

/** @throws misplaced_window, misplaced_aggregate for an item that is no aggregate */
export function groupedBody({ items, groupBy, position }: PipeAggregate): GroupedBody {
  for (const item of items) ensureAggregate(item);
  const { groups, by } = groupBy === null ? NO_GROUPS : pipeGroups(groupBy.items);
  for (const { expression } of groups) refuseOrdinal(expression);
  const all = [...groups, ...items];
  const body: SelectBody = { ...emptyBody(position), items: all, groupBy: by };
  const orderBy = all.flatMap((item, index): OrderItem[] => {
    const order = item.order ?? (groupBy?.ordered === true && index < groups.length ? ASCENDING : null);
    if (order === null) return [];
    const at = item.expression.position;
    return [{ kind: 'order-item', expression: ordinal(index, at), ...order, position: at }];
  });
  return { body, names: all.map(nameOf), orderBy };
}

const NO_GROUPS = { groups: [], by: null } as const;

function ensureAggregate({ expression, position }: AggregateItem): void {
  const { hasWindow, calls } = mentionsOf(expression);
  if (hasWindow) {
    throw failure('misplaced_window', 'OVER is not allowed in |> AGGREGATE', position, {
      hint: 'compute it with |> EXTEND behind |> AGGREGATE',
    });
  }
  if ([...calls].some((name) => (lookupFunction(name)?.kind ?? 'aggregate') === 'aggregate')) return;
  throw failure('misplaced_aggregate', '|> AGGREGATE takes aggregates only', position, {
    hint: 'columns to group by are listed behind GROUP BY only, which adds them to the result',
  });
}

function refuseOrdinal({ kind, position }: Expression): void {
  if (kind !== 'literal') return;
  throw failure('bad_ordinal', '|> AGGREGATE groups by expressions, not by numbers of columns', position, {
    hint: 'name the column',
  });
}

const ASCENDING = { direction: 'ASC', nulls: null } as const;

export function distinctOf(position: SourcePosition): SelectBody {
  return { ...selectAll(null, position), distinct: true };
}

/** The ORDER BY of columns and the LIMIT that directly follow, which the same SELECT can run. */
export function tailBehind(
  following: readonly PipeStep[],
  names: readonly string[],
  ownOrder: readonly OrderItem[]
): { readonly tail: Tail; readonly taken: number } {
  const [first, second] = following;
  const order = first?.kind === 'pipe-order-by' ? byOrdinals(first.items, names) : null;
  const orderBy = order ?? ownOrder;
  const next = order === null ? first : second;
  const limit = next?.kind === 'pipe-limit' ? next.limit : null;
  return { tail: { orderBy, limit }, taken: (order === null ? 0 : 1) + (limit === null ? 0 : 1) };
}

/** Null unless each item is the name of one column. */
function byOrdinals(items: readonly OrderItem[], names: readonly string[]): readonly OrderItem[] | null {
  const lower = names.map((name) => name.toLowerCase());
  const ordered: OrderItem[] = [];
  for (const item of items) {
    const { expression } = item;
    const [name, ...fields] = expression.kind === 'path' ? expression.parts : [];
    const key = name?.name.toLowerCase();
    if (key === undefined || fields.length > 0 || lower.filter((other) => other === key).length !== 1) return null;
    ordered.push({ ...item, expression: ordinal(lower.indexOf(key), expression.position) });
  }
  return ordered;
}

function nameOf({ expression, alias }: AggregateItem): string {
  return alias?.name ?? impliedName(expression) ?? '';
}
