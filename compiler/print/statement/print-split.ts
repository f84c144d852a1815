/**
 * Prints a statement in two halves: the groups of some parts of the events, and the statement over the groups of all
 * parts. A text over the parts of one day has no limits of time if the limits leave out none of its events.
 */
import type { CatalogPart, CommonText } from '../../catalog/catalog';
import type { BoundValue, CompiledStatement, PartRead, SplitQuery, SplitUnit } from '../../output/compiled-query';
import { findReachable, type Reachable } from '../../ir/passes/reachable';
import { splitGroups, type SplitPlan } from '../../ir/passes/groups/split-groups';
import { type Groups, KnownGroups, type KnownOfEvents } from './known-groups';
import { hoursWithin } from './hours-within';
import type { TimeLimits } from '../../ir/passes/conditions/time-limits';
import type { QueryPlan, ScanInput } from '../../ir/plan';
import { TIMESTAMP, type Type } from '../../ir/types';
import type { ResolvedStatement } from '../../resolve/resolve-statement';
import type { FailurePlaces } from '../expressions/failure-place';
import { partRead } from '../reads/part-reads';
import type { PrintOptions } from './print-options';
import { type PrintedTable, withTables } from '../relations/print-plan';
import { partsInBounds, ScanPrinter } from '../reads/print-scan';
import { BoundValues, type PrintedWith, StatementPrinter } from './statement-printer';
import { valueAt } from '../../items';

/** The rows of a unit, in the text of its groups. */
const ROWS = 'kept_rows';
const EVERYTHING = { fromMicros: Number.NEGATIVE_INFINITY, toMicros: Number.POSITIVE_INFINITY };

interface Unit {
  readonly parts: readonly CatalogPart[];
  /** Null: all events. */
  readonly limits: TimeLimits | null;
  readonly isWhole: boolean;
  readonly pieces: readonly Unit[];
}

interface PrintedUnit extends SplitUnit {
  /** A query for the groups, without parentheses. */
  readonly groups: string;
  readonly reads: readonly PartRead[];
}

/** The groups of a unit without its rows. */
interface PrintedGroups {
  readonly tables: readonly PrintedTable[];
  readonly body: string;
  /** Columns of the rows. */
  readonly columns: readonly string[];
  readonly mayFail: boolean;
}

/** What is printed of a statement, for all its runs. */
interface Split {
  readonly plan: SplitPlan;
  readonly known: KnownGroups;
  /** Values of the groups. */
  readonly values: BoundValues;
  /** Whether groups of a unit may need other values than those of another one. */
  isNarrowed: boolean;
  /** By what is known of their events; null for those that are not the same each time. */
  readonly printed: Map<string | null, PrintedGroups | null>;
}

/** A window that moves has other days. */
const MAX_PRINTED = 100;

const splits = new WeakMap<ResolvedStatement, Split | null>();

/** @returns null when the statement cannot be split, or reads no part as a whole */
export function printSplit(
  statement: ResolvedStatement,
  options: PrintOptions,
  places: FailurePlaces
): SplitQuery | null {
  const { nowMicros, store, narrowed } = options;
  if (!store.keepsGroups) return null;
  const split = splitOf(statement);
  if (split === null) return null;
  const limits = split.plan.chain.limits(nowMicros);
  const days = daysWithin(partsInBounds(split.plan.scan, narrowed), limits);
  if (!days.some(({ isWhole }) => isWhole)) return null;
  return new SplitPrinter(statement, split, options, places).print(days);
}

function splitOf(statement: ResolvedStatement): Split | null {
  let split = splits.get(statement);
  if (split === undefined) {
    const { query, resolution, outputs } = statement;
    const plan = splitGroups(query.plan, resolution.commonTables, findReachable(query.plan, outputs));
    split =
      plan === undefined
        ? null
        : {
            plan,
            known: new KnownGroups(plan, plan.scan),
            values: new BoundValues(),
            isNarrowed: false,
            printed: new Map(),
          };
    splits.set(statement, split);
  }
  return split;
}

/** The parts of each day that has events within the limits. */
function daysWithin(parts: readonly CatalogPart[], limits: TimeLimits): readonly Unit[] {
  const byDay = new Map<number, CatalogPart[]>();
  for (const part of parts) {
    if (!overlaps(part, limits)) continue;
    const day = byDay.get(part.fromMicros);
    if (day === undefined) byDay.set(part.fromMicros, [part]);
    else day.push(part);
  }
  return [...byDay.values()].map((ofDay) => {
    const isWhole = ofDay.every((part) => isInside(part, limits));
    if (isWhole) return { parts: ofDay, limits: null, isWhole, pieces: [] };
    const pieces = hoursWithin(ofDay[0]!, limits).map((piece) => ({ ...piece, parts: ofDay, pieces: [] }));
    return { parts: ofDay, limits, isWhole, pieces };
  });
}

function overlaps({ fromMicros, toMicros }: CatalogPart, { from, to }: TimeLimits): boolean {
  return (from === null || BigInt(toMicros) > from) && (to === null || BigInt(fromMicros) <= to);
}

function isInside({ fromMicros, toMicros }: CatalogPart, { from, to }: TimeLimits): boolean {
  return (from === null || from <= BigInt(fromMicros)) && (to === null || to >= BigInt(toMicros) - 1n);
}

class SplitPrinter {
  private readonly options: Omit<PrintedWith, 'plan' | 'reachable' | 'values'>;
  private readonly tenant: string | null;
  /** Prints rows of units. */
  private readonly rows: StatementPrinter;

  constructor(
    private readonly statement: ResolvedStatement,
    private readonly split: Split,
    private readonly printed: PrintOptions,
    places: FailurePlaces
  ) {
    this.options = { store: printed.store, nowMicros: printed.nowMicros, places };
    if (printed.narrowed !== undefined) split.isNarrowed = true;
    this.tenant = statement.resolution.input.tenant;
    const { groups } = split.plan;
    this.rows = this.printerOf(groups, findReachable(groups, []));
  }

  print(days: readonly Unit[]): SplitQuery | null {
    const { values } = this.split;
    const all = [...days, ...days.flatMap(({ pieces }) => pieces)];
    // Printed first: they may bind values.
    const texts = new Map<Unit, string>();
    for (const unit of all) {
      const groups = this.groupsOf(knownOf(unit));
      if (groups === null) return null;
      texts.set(unit, this.withRows(groups, unit));
    }
    const keyOfValues = JSON.stringify(values.list.map(({ type, value }) => [type, String(value), value === null]));
    const unitOf = (unit: Unit): PrintedUnit => {
      const text = valueAt(texts, unit);
      return {
        tables: unit.parts.map(({ table }) => table),
        isWhole: unit.isWhole,
        pieces: unit.pieces.map(unitOf),
        key: `${text}\n${keyOfValues}`,
        groups: text,
        reads: unit.parts.map((part) => partRead(part, boundsOf(unit))),
      };
    };
    const units = days.map(unitOf);
    return {
      units,
      groupColumns: this.columns.map(({ name, type }) => ({ name, isText: type.kind === 'STRING' })),
      createGroups: (unit, table, maxGroups) => ({
        sql: `CREATE TABLE ${table} AS ${this.withAllValues((unit as PrintedUnit).groups)} LIMIT ${maxGroups + 1}`,
        values: values.list,
        reads: (unit as PrintedUnit).reads,
      }),
      merge: (kept, others) => this.merge(kept, others as readonly PrintedUnit[]),
    };
  }

  /** @returns null for groups that are not the same each time */
  private groupsOf(events: KnownOfEvents): PrintedGroups | null {
    const { plan, known, printed } = this.split;
    const key = known.key(events);
    let groups = printed.get(key);
    if (groups === undefined) {
      groups = this.printGroups(key === null ? plan : known.of(events));
      if (printed.size === MAX_PRINTED) printed.clear();
      printed.set(key, groups);
    }
    return groups;
  }

  private printGroups({ groups, groupTables }: Groups): PrintedGroups | null {
    const names = groups.body.outputs.map(({ name }) => name);
    const reachable = findReachable(groups, names);
    const printer = this.printerOf(groups, reachable);
    const { tables, body } = printer.plans.statement(groups, names, groupTables, null);
    if (printer.readsNow) return null;
    const columns = [...reachable.columns(this.split.plan.chain.relation)];
    return { tables, body, columns, mayFail: printer.mayFail };
  }

  private withRows({ tables, body, columns, mayFail }: PrintedGroups, unit: Unit): string {
    const guarded = this.tenant !== null && mayFail;
    const { dialect } = this.rows;
    const scans = new ScanPrinter(dialect, { only: null, guarded, tenant: this.tenant });
    const sql = `${dialect.quoteIdentifier(ROWS)} AS NOT MATERIALIZED (${this.scan(scans, unit, columns)})`;
    return withTables([{ sql, isRecursive: false }, ...tables], body);
  }

  private printerOf(plan: QueryPlan, reachable: Reachable): StatementPrinter {
    return new StatementPrinter(
      { ...this.options, plan, reachable, values: this.split.values },
      { only: null, guarded: false, tenant: this.tenant, rowsOf: ROWS }
    );
  }

  private scan(scans: ScanPrinter, { parts, limits }: Unit, columns: readonly string[]): string {
    const { scan } = this.split.plan;
    const { dialect } = this.rows;
    const rows = (names: readonly string[], bounds: ScanInput['bounds']): string =>
      scans.print({ ...scan, columns: new Map([...scan.columns, ['timestamp', TIMESTAMP]]), parts, bounds }, names);
    const bounds = boundsOf({ limits });
    if (limits === null) return `SELECT * FROM ${rows(columns, bounds)} AS s`;
    const time = `s.${dialect.quoteIdentifier('timestamp')}`;
    const limit = (operator: string, micros: bigint | null): string[] =>
      micros === null
        ? []
        : [`${time} ${operator} ${dialect.expression({ kind: 'literal', type: TIMESTAMP, value: micros })}`];
    const conditions = [...limit('>=', limits.from), ...limit('<=', limits.to)].join(' AND ');
    return `SELECT * FROM ${rows([...new Set([...columns, 'timestamp'])], bounds)} AS s WHERE ${conditions}`;
  }

  /** Columns of groups: their names, and those in the plan. */
  private get columns(): readonly { readonly name: string; readonly of: string; readonly type: Type }[] {
    const { outputs } = this.split.plan.groups.body;
    return outputs.map(({ name: of, ...output }, index) => ({
      name: this.rows.dialect.quoteIdentifier(`r${index + 1}`),
      of,
      type: 'expr' in output ? output.expr.type : output.type,
    }));
  }

  /** A query that reads each value, also those of other units: DuckDB takes no value that is not read. */
  private withAllValues(groups: string): string {
    if (!this.split.isNarrowed) return groups;
    const { dialect } = this.rows;
    // Constants, which DuckDB removes.
    const reads = this.split.values.expressions.map((value) => `(${dialect.expression(value)} IS NULL) IS NOT NULL`);
    return reads.length === 0 ? groups : `SELECT * FROM (${groups}) AS g WHERE ${reads.join(' AND ')}`;
  }

  private merge(
    kept: readonly string[],
    others: readonly PrintedUnit[]
  ): CompiledStatement & { readonly values: readonly BoundValue[] } {
    const { whole, wholeTables, table } = this.split.plan;
    const { outputs } = this.statement;
    const values = others.length === 0 ? new BoundValues() : new BoundValues(this.split.values);
    const printer = new StatementPrinter(
      { ...this.options, plan: whole, reachable: findReachable(whole, outputs), values },
      { only: null, guarded: false, tenant: this.tenant }
    );
    const { tables, body } = printer.plans.statement(whole, outputs, wholeTables, this.printed.limit);
    const quote = (name: string): string => printer.dialect.quoteIdentifier(name);
    const columns = this.columns.map(({ name, of }) => `${name} AS ${quote(of)}`);
    const rows = [...kept, ...others.map((unit) => `(${this.withAllValues(unit.groups)})`)];
    const union = rows
      .map((from) => `SELECT ${columns.join(', ') || '1 AS one'} FROM ${from} AS g`)
      .join(' UNION ALL ');
    const all = { sql: `${quote(table.name)} AS NOT MATERIALIZED (${union})`, isRecursive: false };
    const reads = others.flatMap((unit) => unit.reads);
    return { sql: withTables([all, ...tables], body), values: values.list, reads };
  }
}

/** What is true of all events of the unit. */
function knownOf({ parts, limits }: Unit): KnownOfEvents {
  const [{ fromMicros, toMicros }] = parts as readonly [CatalogPart, ...CatalogPart[]];
  const [first, last] = [BigInt(fromMicros), BigInt(toMicros) - 1n];
  const { from, to } = limits ?? { from: null, to: null };
  const commonTexts = (parts[0]?.commonTexts ?? []).filter((common) => parts.every((part) => hasCommon(part, common)));
  return { from: from === null || from < first ? first : from, to: to === null || to > last ? last : to, commonTexts };
}

function hasCommon({ commonTexts = [] }: CatalogPart, { column, text }: CommonText): boolean {
  return commonTexts.some((common) => common.column === column && common.text === text);
}

function boundsOf({ limits }: Pick<Unit, 'limits'>): ScanInput['bounds'] {
  return {
    fromMicros: limits === null || limits.from === null ? EVERYTHING.fromMicros : Number(limits.from),
    toMicros: limits === null || limits.to === null ? EVERYTHING.toMicros : Number(limits.to),
  };
}
