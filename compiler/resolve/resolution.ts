/** State of resolving one statement: visible tables, parameters, and all relations so far. */
import { PatternBudget } from '#contract/pattern-limits';
import type { Catalog } from '../catalog/catalog';
import type { SourceRedaction } from '../catalog/source-redaction';
import type { Value } from '../functions/function';
import type { Expr } from '../ir/expression';
import type { RequestTime } from '../ir/request-time';
import type { QueryPlan, Recursion } from '../ir/plan';
import type { Type } from '../ir/types';
import { coerce } from './types/coerce';
import { materialize } from './relations/materialize';
import type { Relation } from './relations/relation';
import { QueryWork } from './query/select/query-work';
import type { ResolvedQuery } from './query/resolved-query';
import type { CommonTableDraft } from './drafts';

/** A WITH query in scope. */
export interface CommonTable {
  readonly name: string;
  readonly plan: CommonTableDraft;
  readonly query: ResolvedQuery;
  /** Set for a named table of the saved query that is read by a caller's statement with redaction. */
  readonly redaction: SourceRedaction | null;
}

/** Tables in scope for FROM, innermost first. Only saved queries can name sources; a sandbox cannot. */
export interface TableScope {
  readonly tables: readonly CommonTable[];
  readonly parent: TableScope | null;
  /** Names for messages, where there are more tables, which no FROM of the statement names. */
  readonly names?: readonly string[];
}

export interface ResolutionInput {
  readonly catalog: Catalog;
  readonly parameters: Readonly<Record<string, string | null>>;
  readonly time: RequestTime;
  /** Null: no redaction. */
  readonly redaction: SourceRedaction | null;
  /** Confines scans to events of this tenant; null: all tenants. */
  readonly tenant: string | null;
}

/** A bound on a physical column from WHERE, applied once the number of readers of each WITH query is known. */
interface Narrowing {
  readonly relation: number;
  readonly name: string;
  readonly fromMicros: number;
  readonly toMicros: number;
}

export class Resolution {
  private readonly relations = new Map<number, Relation>();
  private readonly nullable = new Set<number>();
  private readonly narrowings: Narrowing[] = [];
  readonly patterns = new PatternBudget();
  /** What the expressions of the text became. */
  readonly operands = new WeakSet<Expr>();
  readonly work: QueryWork;
  /** Number of derived tables that pipe operators have made. */
  pipeBlocks = 0;
  /** Number of sets in ROLLUP, CUBE and GROUPING SETS. */
  groupingSets = 0;
  /** In order of creation: each reads only earlier ones. */
  readonly commonTables: CommonTableDraft[] = [];
  /** Names of parameters in order of first use. */
  readonly usedParameters = new Set<string>();
  /** Tables read, in order of first use. */
  readonly usedTables = new Set<string>();
  /** Names of sources read, in order of first use. */
  readonly usedSources = new Set<string>();

  /**
   * Values of the expressions inside of a call with SAFE, whose failures are their own; null outside of such a call.
   */
  insideSafe: WeakSet<Expr> | null = null;

  /** Whether the text that is being resolved is the caller's, whose places errors may name. */
  marksSites = true;
  /** Whether an expression has another value each time it is evaluated. */
  isVolatile = false;
  /** Subqueries whose fields are selected with `.*`. */
  copiedSubqueries = 0;

  constructor(
    readonly input: ResolutionInput,
    /** Whether FROM may name sources. */
    public sourcesVisible: boolean
  ) {
    this.work = new QueryWork(input.catalog.dialect === 'clickhouse');
  }

  /** Registers a relation under a new number. */
  register<R extends Relation>(make: (id: number) => R): R {
    const relation = make(this.relations.size + 1);
    this.relations.set(relation.id, relation);
    return relation;
  }

  relation(id: number): Relation {
    const relation = this.relations.get(id);
    if (relation === undefined) throw new Error(`no relation ${id}`);
    return relation;
  }

  get relationCount(): number {
    return this.relations.size;
  }

  /** Marks relations whose rows an outer join may replace by NULL. */
  markNullable(ids: Iterable<number>): void {
    for (const id of ids) this.nullable.add(id);
  }

  isNullable(id: number): boolean {
    return this.nullable.has(id);
  }

  /** Gives each WITH query of the statement a unique name, so that none shadows another. */
  addCommonTable(name: string, plan: QueryPlan, recursion?: (own: string) => Recursion): CommonTableDraft {
    const own = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, 32);
    const unique = `w${this.commonTables.length + 1}_${own}`;
    const table: CommonTableDraft = {
      name: unique,
      plan,
      readers: 0,
      ...(recursion === undefined ? {} : { recursion: recursion(unique) }),
    };
    this.commonTables.push(table);
    return table;
  }

  remember(narrowing: Narrowing): void {
    this.narrowings.push(narrowing);
  }

  /** Applies the bounds. Call once, after resolving everything. */
  narrowAll(): void {
    // The order does not matter: bounds of the outermost blocks, which are resolved last, may pass through inner
    // blocks.
    for (const { relation, name, fromMicros, toMicros } of this.narrowings) {
      this.relation(relation).narrow(name, fromMicros, toMicros);
    }
  }

  coerce(value: Value, type: Type, what: string): Value {
    return coerce(value, type, what);
  }

  materialize(value: Value): Expr {
    return materialize(value, this);
  }
}
