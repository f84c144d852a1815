/**
 * Splits an aggregation into groups of parts of the events and groups of those: for counts that are the same however
 * the events are divided. Only a statement with one scan, whose rows reach one grouped block one by one, is split.
 */
import { containsSubquery, withChildren } from '../../walk/children';
import { callOf, isConstant } from '../../operations/call';
import type { AggregateExpr, ColumnExpr, Expr } from '../../expression';
import { NO_OPTIONS } from '../../operations/ops';
import type { CommonTablePlan, FromPlan, QueryPlan, ScanInput, SelectPlan, SortItem } from '../../plan';
import { INT64 } from '../../types';
import { expressionKey } from '../expression-key';
import { groupsBelow } from './nested-groups';
import { isPackable, mergeOf } from './partial-aggregates';
import type { Reachable } from '../reachable';
import { outerReads } from '../correlation/correlation';
import { rowsBelow, type RowChain } from '../rows/row-chain';
import { Survey } from '../survey';

export interface SplitPlan {
  readonly scan: ScanInput;
  /** Groups of any part of the events: keys and partial aggregates. Without the conditions in `limits`. */
  readonly groups: QueryPlan;
  /** WITH queries that `groups` reads. */
  readonly groupTables: readonly CommonTablePlan[];
  /** The statement, which reads the groups of all parts from `table` instead of the scan. */
  readonly whole: QueryPlan;
  readonly table: CommonTablePlan;
  /** WITH queries of the statement, without `table`. */
  readonly wholeTables: readonly CommonTablePlan[];
  readonly chain: RowChain;
}

const TABLE_NAME = 'kept_groups';

/** Position of columns that are in no text. */
const NOWHERE = { line: 1, column: 1, offset: 0, end: 0 };

/** @returns undefined when the statement cannot be split */
export function splitGroups(
  plan: QueryPlan,
  commonTables: readonly CommonTablePlan[],
  reachable: Reachable
): SplitPlan | undefined {
  const survey = new Survey(plan);
  return survey.scans === 1 ? new Splitter(survey, reachable, commonTables).split(plan) : undefined;
}

type Halves = Pick<SplitPlan, 'scan' | 'groups' | 'groupTables' | 'table' | 'chain'>;

class Splitter {
  private halves: Halves | undefined;
  /** WITH queries around the grouped block, and what they become. */
  private readonly replaced = new Map<CommonTablePlan, CommonTablePlan>();

  constructor(
    private readonly survey: Survey,
    private readonly reachable: Reachable,
    private readonly commonTables: readonly CommonTablePlan[]
  ) {}

  split(plan: QueryPlan): SplitPlan | undefined {
    const whole = this.inPlan(plan);
    if (whole === undefined || this.halves === undefined) return undefined;
    const below = new Set(this.halves.chain.tables.keys());
    const wholeTables = this.commonTables
      .filter((table) => !below.has(table))
      .map((table) => this.replaced.get(table) ?? table);
    return { ...this.halves, whole, wholeTables };
  }

  /** The plan with the grouped block in it replaced; undefined without one. */
  private inPlan(plan: QueryPlan): QueryPlan | undefined {
    const { body } = plan;
    if (body.kind === 'set') {
      const branches = body.branches.map((branch) => this.inPlan(branch));
      if (branches.every((branch) => branch === undefined)) return undefined;
      return { ...plan, body: { ...body, branches: body.branches.map((branch, i) => branches[i] ?? branch) } };
    }
    if (body.from === null) return undefined;
    if (body.groupBy !== null) {
      const block = this.block(plan, body, body.groupBy, body.from);
      if (block !== undefined) return block;
    }
    const from = this.inFrom(body.from);
    return from && { ...plan, body: { ...body, from } };
  }

  private inFrom(from: FromPlan): FromPlan | undefined {
    if (from.kind === 'join') {
      const left = this.inFrom(from.left);
      if (left !== undefined) return { ...from, left };
      const right = this.inFrom(from.right);
      return right && { ...from, right };
    }
    const { input } = from;
    if (input.kind === 'derived') {
      const plan = this.inPlan(input.plan);
      return plan && { ...from, input: { ...input, plan } };
    }
    if (input.kind !== 'common-table' || input.table.recursion || this.reachable.readers(input.table) !== 1)
      return undefined;
    const plan = this.inPlan(input.table.plan);
    if (plan === undefined) return undefined;
    const table = { ...input.table, plan };
    this.replaced.set(input.table, table);
    return { ...from, input: { ...input, table } };
  }

  private block(plan: QueryPlan, select: SelectPlan, keys: readonly Expr[], from: FromPlan): QueryPlan | undefined {
    if (select.groupingSets || select.distinct || !keys.every(({ type }) => isPackable(type))) return undefined;
    const chain = rowsBelow({ from, where: select.where }, this.reachable) ?? groupsBelow(select, this.reachable);
    if (chain === undefined) return undefined;
    const groups = new GroupedBlock(keys, this.survey.freeRelation);
    const wanted = this.reachable.outputs(plan);
    const outputs = select.outputs.filter(({ name }) => wanted.has(name));
    let body: SelectPlan;
    let orderBy: readonly SortItem[];
    try {
      body = {
        ...select,
        outputs: outputs.map(({ name, expr }) => ({ name, expr: groups.replace(expr) })),
        where: [],
        groupBy: groups.keys,
        having: select.having && groups.replace(select.having),
        qualify: select.qualify && groups.replace(select.qualify),
      };
      orderBy = plan.orderBy.map((item) =>
        item.output === null ? { ...item, expr: groups.replace(item.expr) } : item
      );
    } catch (error) {
      if (error instanceof CannotSplit) return undefined;
      throw error;
    }
    if (groups.outputs.some(({ expr }) => containsSubquery(expr))) return undefined;
    const rows: QueryPlan = {
      kind: 'query',
      body: {
        kind: 'select',
        distinct: false,
        outputs: groups.outputs,
        from: chain.from,
        where: chain.where,
        groupBy: keys,
        having: null,
        qualify: null,
      },
      orderBy: [],
      limit: null,
      offset: null,
      value: null,
      ordered: false,
    };
    if (new Survey(rows).isVolatile) return undefined;
    const table: CommonTablePlan = { name: TABLE_NAME, plan: rows, readers: 1 };
    const groupTables = this.commonTables.flatMap((one) => chain.tables.get(one) ?? []);
    this.halves = { scan: chain.scan, groups: rows, groupTables, table, chain };
    const input = { kind: 'common-table', table } as const;
    const relation = { kind: 'relation', id: this.survey.freeRelation, input, unnests: [] } as const;
    return { ...plan, body: { ...body, from: relation }, orderBy };
  }
}

/** An expression needs more than keys and partial aggregates. */
class CannotSplit extends Error {}

/** A grouped block over groups: its expressions, and the columns that it needs of them. */
class GroupedBlock {
  readonly outputs: { name: string; expr: Expr }[] = [];
  readonly keys: readonly Expr[];
  private readonly columns = new Map<string, ColumnExpr>();

  constructor(
    keys: readonly Expr[],
    private readonly relation: number
  ) {
    this.keys = keys.map((key) => this.column(key));
  }

  /** @throws CannotSplit */
  replace(expr: Expr): Expr {
    if (isConstant(expr)) return expr;
    const key = this.columns.get(expressionKey(expr));
    if (key !== undefined && expr.kind !== 'aggregate') return key;
    if (expr.kind === 'aggregate' && expr.over === null) return this.aggregate(expr);
    if (expr.kind === 'column' || expr.kind === 'lazy-record') throw new CannotSplit();
    if (expr.kind === 'subquery' || expr.kind === 'in-subquery') this.ensureOwnRows(expr.plan);
    return withChildren(expr, (child) => this.replace(child));
  }

  private aggregate(call: AggregateExpr): Expr {
    const merge = mergeOf(call);
    if (merge === undefined) throw new CannotSplit();
    const merged: AggregateExpr = { ...call, fn: merge, args: [this.column(call)], options: NO_OPTIONS };
    if (!call.fn.startsWith('count')) return merged;
    // A count of no groups is 0.
    const none = { kind: 'literal', type: INT64, value: 0n } as const;
    return callOf('coalesce', [{ ...merged, type: INT64 }, none], INT64);
  }

  private ensureOwnRows(plan: QueryPlan): void {
    if (outerReads(plan).length > 0) throw new CannotSplit();
  }

  private column(expr: Expr): ColumnExpr {
    const key = expressionKey(expr);
    const known = this.columns.get(key);
    if (known !== undefined) return known;
    const name = `g${this.outputs.length + 1}`;
    this.outputs.push({ name, expr });
    const { relation } = this;
    const column: ColumnExpr = { kind: 'column', relation, name, type: expr.type, display: '', position: NOWHERE };
    this.columns.set(key, column);
    return column;
  }
}
