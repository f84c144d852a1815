/**
 * Redaction at the source: an expression of a caller reads texts of a named table only after redaction.
 *
 * @slow 10
 */
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import { REDACTION_KINDS } from '#contract/redaction';
import { children } from '#compiler/ir/walk/children';
import type { ColumnExpr, Expr } from '#compiler/ir/expression';
import { RequestTime } from '#compiler/ir/request-time';
import type { FromPlan, QueryPlan, RelationPlan } from '#compiler/ir/plan';
import type { Type } from '#compiler/ir/types';
import { resolveStatement, type ResolvedStatement } from '#compiler/resolve/resolve-statement';
import { sandboxQuery } from '#compiler/sandbox/sandboxed-query';
import { sourceRedaction } from '#server/engine/redaction/source-redaction';
import { arbitraryAttack } from '../../support/redaction/arbitrary-attack';
import { openTwinStores, type TwinStores } from '../../support/redaction/twin-stores';
import { NOW_MICROS, openFixtureStore, readDefinition, readQueryCases } from '../../support/cases/sql/queries';
import type { OpenStore } from '../../support/stores/current';

const LOGS = readDefinition('logs.all');
const redaction = sourceRedaction({ kinds: REDACTION_KINDS });

let fixture: OpenStore;
let twins: TwinStores;
beforeAll(async () => {
  [fixture, twins] = await Promise.all([openFixtureStore(), openTwinStores()]);
}, 60_000);
afterAll(() => Promise.all([fixture.close(), twins.close()]));

function resolved(sql: string, store = fixture.store): ResolvedStatement {
  const parameters = { project: 'abcd', iso_timestamp_start: null, iso_timestamp_end: null };
  const query = sandboxQuery(LOGS, { language: 'sql', text: sql });
  const time = new RequestTime(NOW_MICROS);
  const input = { catalog: store.catalog(), parameters, time, redaction, tenant: null };
  return resolveStatement(query, input, 'read');
}

const holdsText = ({ kind, ...type }: Type): boolean =>
  ['STRING', 'RECORD', 'SINGLE', 'STRUCT'].includes(kind) ||
  (kind === 'ARRAY' && holdsText((type as { element: Type }).element));

interface Reader {
  readonly plan: QueryPlan;
  readonly name: string;
}

/** Everything of the caller's statement: not what is behind the named tables. */
class Walk {
  readonly raw: { readonly name: string; readonly isOutput: boolean }[] = [];
  private readonly border = new Set<number>();
  private readonly plans = new Map<number, QueryPlan>();
  private readonly seen = new Set<QueryPlan>();
  private readonly tables: ReadonlySet<QueryPlan>;

  constructor({ tables }: ResolvedStatement) {
    this.tables = new Set(tables.tables.map((table) => table.plan.plan));
  }

  query(plan: QueryPlan): void {
    if (this.seen.has(plan)) return;
    this.seen.add(plan);
    const { body } = plan;
    if (body.kind === 'set') body.branches.forEach((branch) => this.query(branch));
    else {
      if (body.from) this.from(body.from);
      const rest = [...body.where, ...(body.groupBy ?? []), body.having, body.qualify];
      rest.forEach((expr) => expr && this.expr(expr, false));
      body.outputs.forEach(({ expr }) => this.expr(expr, true));
    }
    plan.orderBy.forEach(({ expr, output }) => {
      if (output === null) this.expr(expr, false);
      // Sorted by an output: it must not be one that is plain.
      else if (body.kind === 'select') this.expr(body.outputs.find(({ name }) => name === output)!.expr, false);
    });
    [plan.limit, plan.offset].forEach((expr) => expr && this.expr(expr, false));
  }

  private from(from: FromPlan): void {
    if (from.kind === 'relation') return this.relation(from);
    this.from(from.left);
    this.from(from.right);
    from.on.forEach((expr) => this.expr(expr, false));
  }

  /** A text of a named table, or a column of the caller's own query that is one. */
  private isRaw({ relation, name, type }: ColumnExpr, readers: readonly Reader[] = []): boolean {
    if (this.border.has(relation)) return !/^[uo]\d/.test(name) && holdsText(type);
    const plan = this.plans.get(relation);
    return plan !== undefined && this.isRawOutput(plan, name, readers);
  }

  /** @param readers outputs that read this one: those of a recursive query read themselves */
  private isRawOutput(plan: QueryPlan, name: string, readers: readonly Reader[]): boolean {
    const { body } = plan;
    if (readers.some((reader) => reader.plan === plan && reader.name === name)) return false;
    const around = [...readers, { plan, name }];
    if (body.kind === 'select') {
      const expr = body.outputs.find((output) => output.name === name)?.expr;
      return expr?.kind === 'column' && this.isRaw(expr, around);
    }
    const output = body.outputs.find((candidate) => candidate.name === name);
    return body.branches.some((branch, index) => this.isRawOutput(branch, output?.branchOutputs[index] ?? '', around));
  }

  private relation({ id, input, unnests }: RelationPlan): void {
    if (input.kind === 'derived') this.plans.set(id, input.plan);
    if (input.kind === 'common-table') this.plans.set(id, input.table.plan);
    if (input.kind === 'scan') throw new Error('a caller reads a source');
    if (input.kind === 'common-table' && this.tables.has(input.table.plan)) this.border.add(id);
    else if (input.kind === 'common-table') this.query(input.table.plan);
    if (input.kind === 'derived') this.query(input.plan);
    if (input.kind === 'list') this.expr(input.list, false);
    unnests.forEach(({ list }) => this.expr(list, false));
  }

  private expr(expr: Expr, isOutput: boolean): void {
    if (expr.kind === 'redacted' && expr.operand.kind === 'column') return;
    if (expr.kind === 'column' && this.isRaw(expr)) this.raw.push({ name: expr.display, isOutput });
    if (expr.kind === 'subquery' || expr.kind === 'in-subquery') this.query(expr.plan);
    children(expr).forEach((child) => this.expr(child, false));
  }
}

/** Raw texts that are more than an output. */
function taken(statement: ResolvedStatement): readonly string[] {
  const walk = new Walk(statement);
  walk.query(statement.query.plan);
  return walk.raw.filter(({ isOutput }) => !isOutput).map(({ name }) => name);
}

const cases = readQueryCases()
  .flatMap(({ cases }) => cases)
  .filter(({ saved }) => saved !== true);

test.each(cases)('no expression sees unredacted text: $name', ({ sql }) => {
  let statement: ResolvedStatement;
  try {
    statement = resolved(sql);
  } catch (error) {
    if (error instanceof ServiceError) return;
    throw error;
  }
  expect(taken(statement)).toEqual([]);
});

test('no expression of a generated attack sees unredacted text', () => {
  fc.assert(
    fc.property(arbitraryAttack, (sql) => {
      expect(taken(resolved(sql, twins.stores[0]))).toEqual([]);
    }),
    { numRuns: 300 }
  );
});

test('unredacted text passes only where it is returned unchanged: derived tables, WITH and UNION ALL', () => {
  const isPlain = (sql: string): boolean => {
    const statement = resolved(sql);
    const walk = new Walk(statement);
    walk.query(statement.query.plan);
    return walk.raw.some(({ isOutput }) => isOutput);
  };
  expect(isPlain('select event_message from edge_logs order by timestamp')).toBe(true);
  expect(isPlain("select m from (select event_message as m from edge_logs where event_message like 'x%')")).toBe(true);
  expect(
    isPlain('with a as (select event_message as m, id from edge_logs) select m from a union all select id from a')
  ).toBe(true);
  expect(isPlain('select distinct event_message from edge_logs')).toBe(false);
  expect(isPlain('select event_message from edge_logs group by event_message')).toBe(false);
});
