/**
 * Groups of events between two times: a time of theirs that is cut to a unit is a constant if both limits are cut to the
 * same one, and no key then. DuckDB groups by one text in half the time that it takes with a second key.
 */
import { isCall } from '../ir/call';
import { withChildren } from '../ir/children';
import type { CallExpr, Expr, LiteralExpr } from '../ir/expression';
import { outputOf } from '../ir/passes/newest-first';
import type { CommonTablePlan, FromPlan, QueryPlan, ScanInput, SelectPlan } from '../ir/plan';
import { TIMESTAMP } from '../ir/types';
import { foldCall } from '../functions/fold';

export interface Groups {
  readonly groups: QueryPlan;
  /** WITH queries that `groups` reads. */
  readonly groupTables: readonly CommonTablePlan[];
}

/** Microseconds since 1970, both inclusive. */
export interface Times {
  readonly from: bigint;
  readonly to: bigint;
}

type Cut = CallExpr<'time_trunc'>;

/** The times that groups of a scan cut to a unit. */
export class ConstantTimes {
  private readonly cuts = new Set<Cut>();

  constructor(
    private readonly all: Groups,
    private readonly scan: ScanInput
  ) {
    new CutWriter(scan, (cut) => {
      this.cuts.add(cut);
      return undefined;
    }).plan(all.groups);
  }

  /** Equal for times with equal constants; null without any. */
  key(times: Times): string | null {
    const values = [...this.cuts].map((cut) => String(constantOf(cut, times)?.value));
    return values.some((value) => value !== String(undefined)) ? values.join(' ') : null;
  }

  /** The groups of events that are all between these times. */
  at(times: Times): Groups {
    const writer = new CutWriter(this.scan, (cut) => constantOf(cut, times));
    const groups = writer.plan(this.all.groups);
    return { groups, groupTables: this.all.groupTables.map((table) => writer.tables.get(table) ?? table) };
  }
}

function constantOf(cut: Cut, { from, to }: Times): LiteralExpr | undefined {
  const at = (value: bigint): LiteralExpr | undefined =>
    foldCall({ ...cut, args: [{ kind: 'literal', type: TIMESTAMP, value }] });
  const [first, last] = [at(from), at(to)];
  return first !== undefined && first.value === last?.value ? first : undefined;
}

/** Copies a plan, with other expressions for times of the scan that are cut to a unit. */
class CutWriter {
  /** WITH queries, and what they become. */
  readonly tables = new Map<CommonTablePlan, CommonTablePlan>();
  /** Columns of FROM items that are the time of an event. */
  private readonly times = new Map<number, ReadonlySet<string>>();

  /** @param replacement undefined: the expression stays */
  constructor(
    private readonly scan: ScanInput,
    private readonly replacement: (cut: Cut) => LiteralExpr | undefined
  ) {}

  plan(plan: QueryPlan): QueryPlan {
    return plan.body.kind === 'select' ? { ...plan, body: this.select(plan.body) } : plan;
  }

  private select(select: SelectPlan): SelectPlan {
    const replace = (expr: Expr): Expr => this.replace(expr);
    const from = select.from && this.from(select.from);
    const outputs = select.outputs.map(({ name, expr }) => ({ name, expr: replace(expr) }));
    const where = select.where.map(replace);
    if (select.groupBy === null || select.groupingSets) return { ...select, from, outputs, where };
    const keys = select.groupBy.map(replace);
    const others = keys.filter((key, i) => key.kind !== 'literal' || key === select.groupBy?.[i]);
    // Without a key there would be a group of no events.
    return { ...select, from, outputs, where, groupBy: others.length > 0 ? others : keys };
  }

  private from(from: FromPlan): FromPlan {
    if (from.kind === 'join') return { ...from, left: this.from(from.left), right: this.from(from.right) };
    const { id, input } = from;
    if (input === this.scan) this.times.set(id, new Set(['timestamp']));
    if (input.kind === 'derived') {
      const plan = this.plan(input.plan);
      this.times.set(id, this.timesOf(input.plan));
      return { ...from, input: { ...input, plan } };
    }
    if (input.kind === 'common-table') {
      const table = { ...input.table, plan: this.plan(input.table.plan) };
      this.tables.set(input.table, table);
      this.times.set(id, this.timesOf(input.table.plan));
      return { ...from, input: { ...input, table } };
    }
    return from;
  }

  private timesOf({ body }: QueryPlan): ReadonlySet<string> {
    if (body.kind !== 'select') return new Set();
    const names = body.outputs.map(({ name }) => name);
    return new Set(names.filter((name) => this.isTime(outputOf(body, name))));
  }

  private isTime(expr: Expr | undefined): boolean {
    if (expr?.kind !== 'column' || expr.type.kind !== 'TIMESTAMP') return false;
    return this.times.get(expr.relation)?.has(expr.name) === true;
  }

  private replace(expr: Expr): Expr {
    const other = isCall(expr, 'time_trunc') && this.isTime(expr.args[0]) ? this.replacement(expr) : undefined;
    return other ?? withChildren(expr, (child) => this.replace(child));
  }
}
