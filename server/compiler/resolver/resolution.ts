/** The state of resolving one statement: what it may read, its parameters, and every relation made so far. */
import type { Catalog } from '../catalog';
import type { SourceRedaction } from '../source-redaction';
import type { Value } from '../functions/function';
import type { Expr } from '../ir/expression';
import type { RequestTime } from '../ir/moment';
import type { CommonTablePlan, QueryPlan } from '../ir/plan';
import type { Type } from '../ir/types';
import { coerce } from './coerce';
import { materialise } from './materialise';
import type { Relation } from './relation';
import type { ResolvedQuery } from './resolved-query';

/** A WITH query that is in sight. */
export interface CommonTable {
  readonly name: string;
  readonly plan: CommonTablePlan;
  readonly query: ResolvedQuery;
  /** Set on a named table of the saved query that a caller's statement reads under redaction. */
  readonly redaction: SourceRedaction | null;
}

/** What FROM may name, innermost first. Sources are in sight of saved queries only; a sandbox has none. */
export interface TableScope {
  readonly tables: readonly CommonTable[];
  readonly parent: TableScope | null;
}

export interface ResolutionInput {
  readonly catalog: Catalog;
  readonly parameters: Readonly<Record<string, string | null>>;
  readonly time: RequestTime;
  /** Null: nothing is redacted. */
  readonly redaction: SourceRedaction | null;
  /** Only events of this tenant are read; null: of all. */
  readonly tenant: string | null;
}

/** A bound on a physical column that WHERE sets, applied when the number of readers of each WITH query is known. */
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
  /** In the order in which they were made: each reads only earlier ones. */
  readonly commonTables: CommonTablePlan[] = [];
  /** Names of parameters in order of first use. */
  readonly usedParameters = new Set<string>();
  /** Tables read by name, in order of first use. */
  readonly usedTables = new Set<string>();
  /** Sources by the name that was written, their own or an alias. */
  readonly sourceMentions = new Set<string>();

  constructor(
    readonly input: ResolutionInput,
    /** Whether FROM may name sources. */
    public sourcesVisible: boolean
  ) {}

  /** Registers a relation under a number of its own. */
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

  /** Marks relations whose rows may be missing, because an outer join stands around them. */
  markNullable(ids: Iterable<number>): void {
    for (const id of ids) this.nullable.add(id);
  }

  isNullable(id: number): boolean {
    return this.nullable.has(id);
  }

  /** Every WITH query of the statement gets a name of its own, so that none captures or shadows another. */
  addCommonTable(name: string, plan: QueryPlan): CommonTablePlan {
    const own = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, 32);
    const table: CommonTablePlan = { name: `w${this.commonTables.length + 1}_${own}`, plan, readers: 0 };
    this.commonTables.push(table);
    return table;
  }

  remember(narrowing: Narrowing): void {
    this.narrowings.push(narrowing);
  }

  /** Hands the bounds down; call once, when everything is resolved. */
  narrowAll(): void {
    // The outermost blocks are resolved last, and their bounds may pass through the inner ones: order does not matter.
    for (const { relation, name, fromMicros, toMicros } of this.narrowings) {
      this.relation(relation).narrow(name, fromMicros, toMicros);
    }
  }

  coerce(value: Value, type: Type, what: string): Value {
    return coerce(value, type, what);
  }

  materialise(value: Value): Expr {
    return materialise(value, this);
  }
}
