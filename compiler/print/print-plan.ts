/** Prints plans as SQL: SELECT, FROM, WITH, set operations. Prints only what `findReachable` reports as read. */
import type { CatalogPart } from '../catalog/catalog';
import { some } from '../ir/children';
import type { Expr } from '../ir/expression';
import { outerReads } from '../ir/passes/correlation';
import { joinsByEquality } from '../ir/passes/join-keys';
import type { Magnitudes } from '../ir/passes/magnitude';
import type {
  CommonTablePlan,
  FromPlan,
  JoinPlan,
  QueryPlan,
  RelationInput,
  RelationPlan,
  ScanInput,
  SelectPlan,
  SortItem,
  SetPlan,
  TenantFilter,
  UnnestPlan,
} from '../ir/plan';
import type { PushedOrder } from '../ir/passes/push-order';
import { isOrdered, type Reachable } from '../ir/passes/reachable';
import { STRING, TIMESTAMP, type Type } from '../ir/types';
import type { SortKey } from './dialect';

/** Parts that are printed by the expression printer. */
export interface PlanDialect extends RelationDialect {
  expression(expr: Expr): string;
  orderKey(key: SortKey): string;
  /** Text at a path of JSON text. */
  jsonText(json: string, path: readonly string[]): string;
  readonly numbers: Magnitudes;
}

/** A store's SQL for relations. */
export interface RelationDialect {
  quoteIdentifier(name: string): string;
  /** Reads a column of a part as the logical type. With `part` null, or for a missing column: NULL of that type. */
  partColumn(part: CatalogPart | null, name: string, type: Type): string;
  /** Whether a column of the part needs no conversion. */
  isPlain(part: CatalogPart, name: string, type: Type): boolean;
  tableName(part: CatalogPart): string;
  /** Rows of `from`, which has this alias, each combined with the elements of its list. */
  unnested(from: string, alias: string, unnest: UnnestPlan, list: string): string;
  /** A table of the elements of a list. */
  listRows(input: ListInput, list: string): string;
  /**
   * Rows of a join, each combined with the elements of a list read from them; `left` is null when the list comes first.
   */
  lateral(left: string | null, alias: string, input: ListInput, list: string, keepsLeft: boolean): string;
  /** A join used as the right side of another join, with the columns that are read of it. */
  joinGroup(join: string, columns: readonly GroupColumn[]): string;
  /** Prefix for the conditions of an outer join without an equality, given a column of each side; may be empty. */
  looseJoinKey(left: string, right: string): string;
  /** GROUP BY and HAVING that make all rows one group, even if there are none. */
  groupOfAll(isAggregated: boolean): { readonly groupBy: string; readonly having: readonly string[] };
  /** A value of the result in the form that the store returns. */
  result(sql: string, type: Type): string;
  /** A value converted to the store's exact type of a logical one. */
  aligned(sql: string, type: Type): string;
  /**
   * A query for the rows of one part that satisfy a condition. If guarded, no enclosing expression is evaluated on
   * other rows or sees their values, even if the store reorders conditions.
   * @param items `expression AS name`, without the name if nothing is read
   */
  confined(part: ConfinedPart): string;
  /** Keyword between the name of a WITH query and its text. */
  withHint(readers: number): string;
}

export interface ConfinedPart {
  readonly part: CatalogPart;
  readonly columns: readonly { readonly sql: string; readonly name: string; readonly type: Type }[];
  /** TRUE for the tenant's rows, FALSE or NULL for all others. */
  readonly condition: string;
  /** Whether the condition compares a stored column, which DuckDB evaluates while scanning. */
  readonly isPlain: boolean;
  readonly guarded: boolean;
}

/** `t3."c1"` */
export interface GroupColumn {
  readonly relation: string;
  readonly name: string;
}

export type ListInput = Extract<RelationInput, { kind: 'list' }>;

/** A column to print: an output of the plan with the name that its reader uses. */
interface Wanted {
  /** True for a column of the result. */
  readonly last?: boolean;
  /** Type of the column in all branches of a set operation. */
  readonly aligned?: Type;
  readonly output: string;
  readonly as: string;
}

export interface PlanChoices {
  /** Reads only these parts of one scan. */
  readonly only: { readonly scan: ScanInput; readonly parts: readonly CatalogPart[] } | null;
  /** Order and limit of the whole statement, to apply inside a query. */
  readonly pushed?: (PushedOrder & { readonly limit: Expr }) | undefined;
  /**
   * Whether any expression of the statement may fail, so that rows of other tenants must be kept away from all
   * expressions.
   */
  readonly guarded: boolean;
  /** The tenant to which every scan is confined; null: none. */
  readonly tenant: string | null;
}

export class PlanPrinter {
  constructor(
    private readonly dialect: PlanDialect,
    private readonly reachable: Reachable,
    private readonly choices: PlanChoices
  ) {}

  /** Prints a statement. `limit` caps the rows of the result, in addition to the plan's own limit. */
  statement(
    plan: QueryPlan,
    outputs: readonly string[],
    commonTables: readonly CommonTablePlan[],
    limit: number
  ): string {
    const wanted = outputs.map((output, index) => ({ output, as: `r${index + 1}`, last: true }));
    const body = this.plan(plan, wanted, true, limit);
    const tables = commonTables.filter((table) => this.reachable.readers(table) > 0);
    if (tables.length === 0) return body;
    return `WITH ${tables.map((table) => this.commonTable(table)).join(', ')} ${body}`;
  }

  /** Prints a subquery inside an expression. */
  subquery(plan: QueryPlan): string {
    const wanted = plan.value === null ? [] : [{ output: plan.value, as: 'v' }];
    return this.plan(plan, wanted, false);
  }

  relationAlias(id: number): string {
    return `t${id}`;
  }

  private commonTable(table: CommonTablePlan): string {
    const hint = this.dialect.withHint(this.reachable.readers(table));
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
    const items = wanted.map(({ output, as, last, aligned }) => {
      const expr = texts.get(output);
      if (expr === undefined) throw new Error(`no output ${output}`);
      const own = this.dialect.expression(expr);
      const sql = aligned ? this.dialect.aligned(own, aligned) : own;
      return `${last ? this.dialect.result(sql, expr.type) : sql} AS ${this.dialect.quoteIdentifier(as)}`;
    });
    const group = this.group(select, wanted, texts);
    const hidden = isOrdered(plan, ordered) ? plan.orderBy : [];
    const { numbers } = this.dialect;
    const keys = hidden.map((item) => {
      const expr = item.output === null ? item.expr : (texts.get(item.output) as Expr);
      return { item, expr, mayBeNaN: numbers.mayBeNaN(expr) };
    });
    const isSelected = ({ output }: SortItem): boolean => wanted.some((column) => column.output === output);
    if (select.distinct && keys.some(({ item, mayBeNaN }) => mayBeNaN || !isSelected(item))) {
      return this.wrapped(
        plan,
        (all) => this.select({ ...plan, orderBy: [] }, select, all, false, ''),
        wanted,
        ordered,
        tail
      );
    }
    const order = keys.flatMap(({ item, expr, mayBeNaN }) => {
      const index = wanted.findIndex(({ output }) => output === item.output);
      // A constant does not order rows, and a store may read it as an ordinal.
      if (index < 0 && (expr.kind === 'literal' || expr.kind === 'now')) return [];
      const sql = index >= 0 && !mayBeNaN ? String(index + 1) : this.dialect.expression(expr);
      return [this.dialect.orderKey({ ...item, sql, mayBeNaN })];
    });
    return [
      `SELECT ${select.distinct ? 'DISTINCT ' : ''}${items.length === 0 ? '1' : items.join(', ')}`,
      select.from === null ? '' : ` FROM ${this.from(select.from)}`,
      this.conditions(' WHERE ', select.where),
      group.groupBy,
      group.having.length === 0 ? '' : ` HAVING ${group.having.join(' AND ')}`,
      select.qualify === null ? '' : ` QUALIFY ${this.dialect.expression(select.qualify)}`,
      order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`,
      tail,
    ].join('');
  }

  private group(
    { groupBy, having }: SelectPlan,
    wanted: readonly Wanted[],
    texts: ReadonlyMap<string, Expr>
  ): { readonly groupBy: string; readonly having: readonly string[] } {
    const own = having === null ? [] : [this.dialect.expression(having)];
    if (groupBy === null) return { groupBy: '', having: own };
    if (groupBy.length > 0)
      return { groupBy: ` GROUP BY ${groupBy.map((expr) => this.dialect.expression(expr)).join(', ')}`, having: own };
    // A block whose aggregates have all been pruned must still return one row.
    const read = [...wanted.map(({ output }) => texts.get(output) as Expr), ...(having === null ? [] : [having])];
    const all = this.dialect.groupOfAll(read.some((expr) => some(expr, isAggregate)));
    return { groupBy: all.groupBy, having: [...all.having, ...own] };
  }

  private set(plan: QueryPlan, set: SetPlan, wanted: readonly Wanted[], ordered: boolean, tail: string): string {
    const body = (all: readonly Wanted[]): string =>
      set.branches
        .map(
          (branch, index) =>
            `(${this.plan(
              branch,
              all.map((column) => ({
                ...column,
                output: branchOutput(set, column.output, index),
                aligned: column.aligned ?? this.typeOf(plan, column.output),
              })),
              false
            )})`
        )
        .join(` ${set.operator} `);
    const whole = set.operator === 'UNION ALL' ? wanted : set.outputs.map(({ name }) => ({ output: name, as: name }));
    if (tail === '' && !isOrdered(plan, ordered) && set.branches.length > 1 && whole === wanted) return body(wanted);
    return this.wrapped(plan, body, wanted, ordered, tail, whole === wanted ? [] : whole);
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
    const inner = body([...names].map((name) => ({ output: name, as: name })));
    const quote = (name: string): string => `q.${this.dialect.quoteIdentifier(name)}`;
    const items = wanted.map(({ output, as, last, aligned }) => {
      const own = aligned ? this.dialect.aligned(quote(output), aligned) : quote(output);
      const sql = last ? this.dialect.result(own, this.typeOf(plan, output)) : own;
      return `${sql} AS ${this.dialect.quoteIdentifier(as)}`;
    });
    const keys = order.map((item) => {
      const output = item.output as string;
      const mayBeNaN = this.dialect.numbers.outputMayBeNaN(plan, output);
      return this.dialect.orderKey({ ...item, sql: quote(output), mayBeNaN });
    });
    const orderText = keys.length === 0 ? '' : ` ORDER BY ${keys.join(', ')}`;
    return `SELECT ${items.length === 0 ? '1' : items.join(', ')} FROM (${inner}) AS q${orderText}${tail}`;
  }

  private typeOf({ body }: QueryPlan, name: string): Type {
    const output = body.outputs.find((candidate) => candidate.name === name);
    if (output === undefined) throw new Error(`no output ${name}`);
    return 'expr' in output ? output.expr.type : output.type;
  }

  private conditions(word: string, exprs: readonly Expr[]): string {
    if (exprs.length === 0) return '';
    return word + exprs.map((expr) => `(${this.dialect.expression(expr)})`).join(' AND ');
  }

  private from(from: FromPlan): string {
    if (from.kind === 'relation') return this.relation(from);
    const left = this.from(from.left);
    const lateral = this.lateral(from.right, left, from.join === 'LEFT');
    if (lateral !== undefined) return lateral;
    const right =
      from.right.kind === 'join'
        ? this.dialect.joinGroup(this.from(from.right), this.readColumns(from.right))
        : this.from(from.right);
    if (from.join === 'CROSS' && from.on.length === 0) return `${left} CROSS JOIN ${right}`;
    const word = from.join === 'CROSS' ? 'INNER' : from.join;
    if (from.on.length === 0) return `${left} ${word} JOIN ${right} ON TRUE`;
    const guarded = this.guardedJoin(from, left, right);
    if (guarded !== undefined) return guarded;
    const isLoose = word !== 'INNER' && !joinsByEquality(from);
    const key = isLoose ? this.dialect.looseJoinKey(this.someColumn(from.left), this.someColumn(from.right)) : '';
    return `${left} ${word} JOIN ${right}${this.conditions(` ON ${key}`, from.on)}`;
  }

  /**
   * Prints an outer join whose condition is correlated; stores with LATERAL apply such a condition to the rows of one
   * side only.
   */
  private guardedJoin({ join, left, right, on }: JoinPlan, leftText: string, rightText: string): string | undefined {
    if (join !== 'LEFT' && join !== 'RIGHT') return undefined;
    const [optional, kept, rows] = join === 'LEFT' ? [right, leftText, rightText] : [left, rightText, leftText];
    if (optional.kind !== 'relation' || outerReads(left, right, ...on).length === outerReads(left, right).length)
      return undefined;
    const alias = this.relationAlias(optional.id);
    return `${kept} LEFT JOIN LATERAL (SELECT * FROM ${rows}${this.conditions(' WHERE ', on)}) AS ${alias} ON TRUE`;
  }

  /** A column of a FROM item, or all of it if no column is read. */
  private someColumn(from: FromPlan): string {
    const [column] = this.readColumns(from);
    if (column) return `${column.relation}.${this.dialect.quoteIdentifier(column.name)}`;
    return from.kind === 'join' ? this.someColumn(from.left) : `${this.relationAlias(from.id)}.*`;
  }

  private readColumns(from: FromPlan): readonly GroupColumn[] {
    if (from.kind === 'join') return [...this.readColumns(from.left), ...this.readColumns(from.right)];
    const relation = this.relationAlias(from.id);
    const opened = from.unnests.flatMap(({ element, offset }) => (offset === null ? [element] : [element, offset]));
    return [...this.reachable.columns(from.id), ...opened].map((name) => ({ relation, name }));
  }

  private relation(relation: RelationPlan): string {
    const alias = this.relationAlias(relation.id);
    let text = this.lateral(relation, null, false) ?? `${this.input(relation)} AS ${alias}`;
    for (const unnest of relation.unnests)
      text = `${this.dialect.unnested(text, alias, unnest, this.dialect.expression(unnest.list))} AS ${alias}`;
    return text;
  }

  private lateral(from: FromPlan, left: string | null, keepsLeft: boolean): string | undefined {
    if (from.kind !== 'relation' || from.input.kind !== 'list' || !from.input.lateral) return undefined;
    if (left !== null && from.unnests.length > 0) return undefined;
    const { id, input } = from;
    return this.dialect.lateral(left, this.relationAlias(id), input, this.dialect.expression(input.list), keepsLeft);
  }

  private input({ id, input }: RelationPlan): string {
    switch (input.kind) {
      case 'scan':
        return this.scan(input, [...this.reachable.columns(id)]);
      case 'common-table':
        return this.dialect.quoteIdentifier(input.table.name);
      case 'derived':
        return `(${this.plan(input.plan, this.all(input.plan), false)})`;
      case 'single-row':
        return '(SELECT 1)';
      case 'list':
        return this.dialect.listRows(input, this.dialect.expression(input.list));
    }
  }

  /** The union of a source's parts, newest day first, without parts outside of the bounds. */
  private scan(scan: ScanInput, names: readonly string[]): string {
    const parts = this.choices.only?.scan === scan ? this.choices.only.parts : partsInBounds(scan);
    const types = names.map((name) => [name, scan.columns.get(name) as Type] as const);
    ensureConfined(scan, this.choices.tenant);
    const [only] = parts;
    if (
      scan.tenant === null &&
      parts.length === 1 &&
      only &&
      types.every(([name, type]) => this.dialect.isPlain(only, name, type))
    ) {
      return this.dialect.tableName(only);
    }
    const select = (part: CatalogPart | null): string => {
      if (scan.tenant !== null && part !== null) return this.confined(scan, scan.tenant, part, types);
      const items = types.map(
        ([name, type]) => `${this.dialect.partColumn(part, name, type)} AS ${this.dialect.quoteIdentifier(name)}`
      );
      const from = part === null ? ' WHERE FALSE' : ` FROM ${this.dialect.tableName(part)}`;
      return `SELECT ${items.length === 0 ? '1 AS one' : items.join(', ')}${from}`;
    };
    return `(${parts.length === 0 ? select(null) : parts.map(select).join(' UNION ALL ')})`;
  }

  private confined(
    { bounds }: ScanInput,
    { value, place }: TenantFilter,
    part: CatalogPart,
    types: readonly (readonly [string, Type])[]
  ): string {
    const columns = types.map(([name, type]) => ({ name, type, sql: this.dialect.partColumn(part, name, type) }));
    const tenant = this.dialect.expression(value);
    const { guarded } = this.choices;
    if (place === null) return this.dialect.confined({ part, columns, condition: 'FALSE', isPlain: true, guarded });
    const isPlain = 'column' in place && this.dialect.isPlain(part, place.column, STRING);
    const named =
      'column' in place
        ? this.dialect.partColumn(part, place.column, STRING)
        : this.dialect.jsonText(this.dialect.partColumn(part, place.text, STRING), place.path);
    const limits = guarded ? this.timeLimits(part, bounds) : '';
    return this.dialect.confined({ part, columns, condition: `${named} = ${tenant}${limits}`, isPlain, guarded });
  }

  /** Repeats bounds that conditions imply: behind the guard the store cannot use those conditions to skip data. */
  private timeLimits(part: CatalogPart, { fromMicros, toMicros }: ScanInput['bounds']): string {
    const limit = (operator: string, micros: number): string => {
      if (micros < EARLIEST_LIMIT_MICROS || micros > LATEST_LIMIT_MICROS) return '';
      const literal = { kind: 'literal', type: TIMESTAMP, value: BigInt(micros) } as const;
      return ` AND ${this.dialect.partColumn(part, 'timestamp', TIMESTAMP)} ${operator} ${this.dialect.expression(literal)}`;
    };
    return limit('>=', fromMicros) + limit('<=', toMicros);
  }
}

/** Limits outside of 1970 to 2261 exclude too little to be useful, and not every store can represent them. */
const EARLIEST_LIMIT_MICROS = 0;
const LATEST_LIMIT_MICROS = 9_200_000_000_000_000;

/** Throws if a scan lacks the tenant condition, so that such a statement never reaches a store. */
function ensureConfined({ tenant: filter }: ScanInput, tenant: string | null): void {
  if ((filter?.value.value.value ?? null) !== tenant)
    throw new Error('a scan is not confined to the tenant of its statement');
}

/** Parts that overlap the scan's bounds. */
export function partsInBounds({ parts, bounds }: ScanInput): readonly CatalogPart[] {
  return parts.filter((part) => part.toMicros > bounds.fromMicros && part.fromMicros <= bounds.toMicros);
}

function isAggregate(expr: Expr): boolean {
  return expr.kind === 'aggregate' && expr.over === null;
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
