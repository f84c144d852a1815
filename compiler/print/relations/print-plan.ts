/** Prints plans as SQL: WITH, SELECT, set operations. Prints only what `findReachable` reports as read. */
import type { PartRead } from '../../output/compiled-query';
import type { Expr } from '../../ir/expression';
import { readsColumn } from '../../ir/passes/conditions/constant-part';
import { isSample } from '../../ir/passes/rows/sample';
import type { PushedOrder } from '../../ir/passes/rows/push-order';
import { hasConstantRows } from '../../ir/passes/rows/constant-rows';
import { writtenRows } from '../../ir/passes/rows/written-rows';
import { isOrdered, type Reachable } from '../../ir/passes/reachable';
import type { CommonTablePlan, Recursion, QueryPlan, SelectPlan, SetPlan, SortItem } from '../../ir/plan';
import type { Type } from '../../ir/types';
import { atPlace } from '../expressions/failure-place';
import { FromPrinter, whereClause } from './print-from';
import { outerColumns, type OuterColumns } from './outer-columns';
import { asKey, GroupPrinter } from './print-groups';
import { type ScanChoices, ScanPrinter } from '../reads/print-scan';
import { printRecursion } from './print-recursion';
import { withoutRepeated } from '../dialect/dialect';
import type { PlanDialect } from '../dialect/relation-dialect';
import { sharedParts, type SharedParts } from './shared-parts';
import { valueAt } from '../../items';

/** A column to print: an output of the plan with the name that its reader uses. */
interface Wanted {
  /** True for a column of the result. */
  readonly last?: boolean;
  /** Type of the column in all branches of a set operation. */
  readonly aligned?: Type;
  /** True for a column of a set operation that compares its rows. */
  readonly isCompared?: boolean;
  readonly output: string;
  readonly as: string;
}

export interface PlanChoices extends ScanChoices {
  /** Order and limit of the whole statement, to apply inside a query. */
  readonly pushed?: (PushedOrder & { readonly limit: Expr }) | undefined;
  /** Whether the statement computes random values. */
  readonly isVolatile?: boolean;
}

export interface PrintedTable {
  readonly sql: string;
  readonly isRecursive: boolean;
}

/** A statement with its WITH queries. */
export function withTables(tables: readonly PrintedTable[], body: string): string {
  if (tables.length === 0) return body;
  const recursive = tables.some(({ isRecursive }) => isRecursive) ? 'RECURSIVE ' : '';
  return `WITH ${recursive}${tables.map(({ sql }) => sql).join(', ')} ${body}`;
}

export class PlanPrinter {
  /** Parts of sources that were printed so far. */
  readonly reads: readonly PartRead[];
  private readonly from: FromPrinter;
  /** Number of subqueries in expressions around what is being printed. */
  private depth = 0;
  private imports = 0;

  constructor(
    private readonly dialect: PlanDialect,
    private readonly reachable: Reachable,
    private readonly choices: PlanChoices
  ) {
    const scans = new ScanPrinter(dialect, choices);
    this.reads = scans.reads;
    const isVolatile = choices.isVolatile === true;
    this.from = new FromPrinter(dialect, reachable, scans, {
      derived: (plan) => {
        const sql = this.plan(plan, this.all(plan), false);
        return isVolatile && isSample(plan) ? dialect.samplingQuery(sql) : sql;
      },
      table: ({ name }) => (isVolatile ? dialect.tableBehindFilters(name) : dialect.quoteIdentifier(name)),
    });
  }

  /**
   * Prints a statement. @param limit caps the rows of the result, in addition to the plan's own limit; null: no cap
   * @returns the WITH queries that are read, and the query itself
   */
  statement(
    plan: QueryPlan,
    outputs: readonly string[],
    commonTables: readonly CommonTablePlan[],
    limit: number | null
  ): { readonly tables: readonly PrintedTable[]; readonly body: string } {
    const wanted = outputs.map((output, index) => ({ output, as: `r${index + 1}`, last: true }));
    const body = this.plan(plan, wanted, true, limit ?? undefined);
    const tables = commonTables.filter((table) => this.reachable.readers(table) > 0);
    return {
      body,
      tables: tables.map((table) => ({ sql: this.commonTable(table), isRecursive: table.recursion !== undefined })),
    };
  }

  /** Prints a subquery inside an expression. */
  subquery(plan: QueryPlan): string {
    const wanted = plan.value === null ? [] : [{ output: plan.value, as: 'v' }];
    this.depth += 1;
    const text = this.plan(plan, wanted, false);
    this.depth -= 1;
    return text;
  }

  private recursive({ name, plan }: CommonTablePlan, { self, site }: Recursion): string {
    const body = plan.body as SetPlan;
    const wanted = this.all(plan);
    const isCompared = body.operator === 'UNION DISTINCT';
    const [base = '', step = ''] = body.branches.map((branch, index) =>
      this.plan(
        branch,
        wanted.map(({ output, as }) => {
          return { output: branchOutput(body, output, index), as, aligned: this.typeOf(plan, output), isCompared };
        }),
        false
      )
    );
    const columns = wanted.map(({ as }) => as);
    const text = { name, self: self.name, isDistinct: isCompared, columns, base, step };
    return atPlace(this.dialect.placeOf(site), false, () => printRecursion(this.dialect, text));
  }

  private commonTable(table: CommonTablePlan): string {
    if (table.recursion) return this.recursive(table, table.recursion);
    const readers = this.reachable.readers(table);
    const hint = this.dialect.withHint({ readers, hasConstantRows: hasConstantRows(table.plan) });
    return `${this.dialect.quoteIdentifier(table.name)} AS ${hint}(${this.plan(table.plan, this.all(table.plan), false)})`;
  }

  private all(plan: QueryPlan): readonly Wanted[] {
    return [...this.reachable.outputs(plan)].map((output) => ({ output, as: output }));
  }

  private plan(plan: QueryPlan, wanted: readonly Wanted[], ordered: boolean, cap?: number): string {
    const { body } = plan;
    const { pushed } = this.choices;
    if (pushed?.plan === plan && body.kind === 'select') {
      const { orderBy, limit } = pushed;
      return this.select({ ...plan, orderBy }, body, wanted, true, ` LIMIT ${this.dialect.expression(limit)}`);
    }
    const tail = this.limits(plan, cap);
    return body.kind === 'select'
      ? this.select(plan, body, wanted, ordered, tail)
      : this.set(plan, body, wanted, ordered, tail);
  }

  private limits(plan: QueryPlan, cap?: number): string {
    let { limit } = plan;
    if (cap !== undefined) limit = capped(limit, cap);
    const limitText = limit === null ? '' : ` LIMIT ${this.dialect.expression(limit)}`;
    return plan.offset === null ? limitText : `${limitText} OFFSET ${this.dialect.expression(plan.offset)}`;
  }

  private select(
    plan: QueryPlan,
    select: SelectPlan,
    wanted: readonly Wanted[],
    ordered: boolean,
    tail: string
  ): string {
    const texts = new Map(select.outputs.map((output) => [output.name, output.expr]));
    const outer = this.outerColumns(select, plan);
    const plain = outer?.expression ?? ((expr: Expr) => this.dialect.expression(expr));
    const hidden = isOrdered(plan, ordered) ? plan.orderBy : [];
    const selected = wanted.map(({ output }) => valueAt(texts, output));
    const shared =
      outer === undefined ? sharedParts(this.dialect, this.reachable, select, { selected, order: hidden }) : undefined;
    const groups = new GroupPrinter(this.dialect, select, shared?.expression ?? plain, outer?.groups ?? []);
    const items = wanted.map(({ output, as, last, aligned, isCompared }) => {
      const expr = valueAt(texts, output);
      const text = groups.output(expr);
      const own = last !== true && !readsColumn(expr) ? this.constant(text, select) : text;
      const given = aligned ? this.dialect.aligned(own, aligned) : own;
      const sql = isCompared || select.distinct ? asKey(this.dialect, given, expr) : given;
      return `${last ? this.dialect.result(sql, expr.type) : sql} AS ${this.dialect.quoteIdentifier(as)}`;
    });
    const { groupBy, having } = groups.clauses(selected);
    const { numbers } = this.dialect;
    const keys = hidden.map((item) => {
      const expr = item.output === null ? item.expr : valueAt(texts, item.output);
      return { item, expr, mayBeNaN: numbers.mayBeNaN(expr) };
    });
    const isSelected = ({ output }: SortItem): boolean => wanted.some((column) => column.output === output);
    // Rows that differ in a column that is not read are different rows.
    const isWhole = select.outputs.every(({ name }) => wanted.some(({ output }) => output === name));
    if (select.distinct && (!isWhole || keys.some(({ item, mayBeNaN }) => mayBeNaN || !isSelected(item)))) {
      return this.wrapped(
        plan,
        (all) => this.select({ ...plan, orderBy: [] }, select, all, false, ''),
        wanted,
        ordered,
        tail,
        select.outputs.map(({ name }) => ({ output: name, as: name }))
      );
    }
    const sorted = keys.flatMap(({ item, expr, mayBeNaN }) => {
      const index = wanted.findIndex(({ output }) => output === item.output);
      // A constant does not order rows, and a store may read it as an ordinal.
      if (index < 0 && (expr.kind === 'literal' || expr.kind === 'now')) return [];
      const sql = index >= 0 && !mayBeNaN ? String(index + 1) : groups.ofGroups(expr);
      return [{ ...item, sql, mayBeNaN }];
    });
    const order = withoutRepeated(sorted).map((key) => this.dialect.orderKey(key));
    return [
      `SELECT ${select.distinct ? 'DISTINCT ' : ''}${items.length === 0 ? '1' : items.join(', ')}`,
      this.fromText(select, outer, shared),
      whereClause({ expression: plain, nullAsFalse: (sql) => this.dialect.nullAsFalse(sql) }, select.where),
      groupBy,
      having.length === 0 ? '' : ` HAVING ${having.join(' AND ')}`,
      select.qualify === null ? '' : ` QUALIFY ${groups.ofGroups(select.qualify)}`,
      order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`,
      tail,
    ].join('');
  }

  private constant(sql: string, { from, groupBy, distinct }: SelectPlan): string {
    if (from?.kind !== 'join' || groupBy !== null || distinct) return sql;
    return this.dialect.constantOfJoin(sql, this.from.someColumn(from));
  }

  private outerColumns(select: SelectPlan, plan: QueryPlan): OuterColumns | undefined {
    if (!this.dialect.importsOuterColumns || this.depth === 0) return undefined;
    const outer = outerColumns(this.dialect, select, plan.orderBy, `o${this.imports + 1}`);
    if (outer !== undefined) this.imports += 1;
    return outer;
  }

  private fromText({ from }: SelectPlan, outer: OuterColumns | undefined, shared: SharedParts | undefined): string {
    const items = [
      ...(from === null ? [] : [this.from.print(from, shared?.items)]),
      ...(outer === undefined ? [] : [outer.item]),
    ];
    return items.length === 0 ? '' : ` FROM ${items.join(' CROSS JOIN ')}`;
  }

  private set(plan: QueryPlan, set: SetPlan, wanted: readonly Wanted[], ordered: boolean, tail: string): string {
    const rows = this.choices.isVolatile ? null : writtenRows(set);
    const body = (all: readonly Wanted[]): string =>
      this.written(plan, set, rows, all) ??
      set.branches
        .map(
          (branch, index) =>
            `(${this.plan(
              branch,
              all.map((column) => ({
                ...column,
                output: branchOutput(set, column.output, index),
                aligned: column.aligned ?? this.typeOf(plan, column.output),
                isCompared: column.isCompared === true || set.operator !== 'UNION ALL',
              })),
              false
            )})`
        )
        .join(` ${set.operator} `);
    const whole = set.operator === 'UNION ALL' ? wanted : set.outputs.map(({ name }) => ({ output: name, as: name }));
    if (tail === '' && !isOrdered(plan, ordered) && set.branches.length > 1 && whole === wanted) return body(wanted);
    return this.wrapped(plan, body, wanted, ordered, tail, whole === wanted ? [] : whole);
  }

  /** Rows of a table that is written into the query, where the store has a form that keeps their order. */
  private written(
    plan: QueryPlan,
    set: SetPlan,
    rows: readonly SelectPlan[] | null,
    wanted: readonly Wanted[]
  ): string | null {
    const { writtenTable } = this.dialect;
    if (writtenTable === null || rows === null || wanted.length === 0) return null;
    const values = rows.map(({ outputs }, index) => {
      const texts = new Map(outputs.map((output) => [output.name, output.expr]));
      return wanted.map(({ output, last, aligned, isCompared }) => {
        const expr = valueAt(texts, branchOutput(set, output, index));
        const own = this.dialect.aligned(this.dialect.expression(expr), aligned ?? this.typeOf(plan, output));
        const sql = isCompared ? asKey(this.dialect, own, expr) : own;
        return last ? this.dialect.result(sql, expr.type) : sql;
      });
    });
    return writtenTable(
      wanted.map(({ as }) => as),
      values
    );
  }

  /** Prints `SELECT .. FROM (body) ORDER BY .. LIMIT ..`, where the body also returns the columns of the order. */
  private wrapped(
    plan: QueryPlan,
    body: (all: readonly Wanted[]) => string,
    wanted: readonly Wanted[],
    ordered: boolean,
    tail: string,
    whole: readonly Wanted[] = []
  ): string {
    const order = isOrdered(plan, ordered) ? plan.orderBy : [];
    const names = new Set([...wanted, ...whole].map(({ output }) => output));
    for (const item of order) names.add(item.output as string);
    const isCompared = wanted.some((column) => column.isCompared);
    const inner = body([...names].map((name) => ({ output: name, as: name, isCompared })));
    const quote = (name: string): string => `q.${this.dialect.quoteIdentifier(name)}`;
    const items = wanted.map(({ output, as, last, aligned }) => {
      const own = aligned ? this.dialect.aligned(quote(output), aligned) : quote(output);
      const sql = last ? this.dialect.result(own, this.typeOf(plan, output)) : own;
      return `${sql} AS ${this.dialect.quoteIdentifier(as)}`;
    });
    const keys = order.map((item) => {
      const output = item.output as string;
      const mayBeNaN = this.dialect.numbers.outputMayBeNaN(plan, output);
      return { ...item, sql: quote(output), mayBeNaN };
    });
    const sorted = withoutRepeated(keys).map((key) => this.dialect.orderKey(key));
    const orderText = sorted.length === 0 ? '' : ` ORDER BY ${sorted.join(', ')}`;
    return `SELECT ${items.length === 0 ? '1' : items.join(', ')} FROM (${inner}) AS q${orderText}${tail}`;
  }

  private typeOf({ body }: QueryPlan, name: string): Type {
    const output = body.outputs.find((candidate) => candidate.name === name);
    if (output === undefined) throw new Error(`no output ${name}`);
    return 'expr' in output ? output.expr.type : output.type;
  }
}

function branchOutput(set: SetPlan, output: string, branch: number): string {
  return set.outputs.find(({ name }) => name === output)?.branchOutputs[branch] ?? '';
}

/** The smaller of a constant limit and the cap. */
export function capped(limit: Expr | null, cap: number): Expr {
  const value =
    limit?.kind === 'literal'
      ? limit.value
      : limit?.kind === 'bound' && limit.failure === null
        ? limit.value.value
        : null;
  if (limit?.kind === 'bound' && limit.failure !== null) return limit;
  const rows = typeof value === 'bigint' && value < BigInt(cap) ? value : BigInt(cap);
  return { kind: 'literal', type: { kind: 'INT64' }, value: rows };
}
