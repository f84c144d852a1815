/** Prints the read of a source: the union of its parts, each confined to a tenant where the statement has one. */
import type { CatalogPart, RestText } from '../../catalog/catalog';
import type { ScanInput, TenantFilter } from '../../ir/plan';
import { STRING, TIMESTAMP, type Type } from '../../ir/types';
import type { PartRead } from '../../output/compiled-query';
import type { ScanNeeds } from '../../ir/search/scan-needs';
import { boundText } from './bound-text';
import { searchedComposition } from './searched-composition';
import { indexedTexts } from './indexed-texts';
import type { ScanPiece } from './newest-pieces';
import { partRead } from './part-reads';
import type { PlanDialect } from '../dialect/relation-dialect';
import { valueAt } from '../../items';

export interface ScanChoices {
  /** Reads only this piece of one scan. */
  readonly only: ScanPiece | null;
  /**
   * Whether any expression of the statement may fail, so that rows of other tenants must be kept away from all
   * expressions.
   */
  readonly guarded: boolean;
  /** Name of a WITH query that has the rows of the one scan of the statement; absent: they are read from the parts. */
  readonly rowsOf?: string;
  /** The tenant to which every scan is confined; null: none. */
  readonly tenant: string | null;
  /** Parts of scans that are read instead of all within their bounds. */
  readonly narrowed?: NarrowedScans;
  /** Texts that the rows of scans must hold, for indexes of the store. */
  readonly needs?: ScanNeeds;
}

export type NarrowedScans = ReadonlyMap<ScanInput, readonly CatalogPart[]>;

export class ScanPrinter {
  /** What was printed so far. */
  readonly reads: PartRead[] = [];

  constructor(
    private readonly dialect: PlanDialect,
    private readonly choices: ScanChoices
  ) {}

  /** The union of a source's parts, newest day first, without parts outside of the bounds. */
  print(scan: ScanInput, names: readonly string[]): string {
    if (this.choices.rowsOf !== undefined) return this.dialect.quoteIdentifier(this.choices.rowsOf);
    const { only: chosen, narrowed } = this.choices;
    const piece = chosen?.scan === scan ? chosen : null;
    const parts = piece?.parts ?? partsInBounds(scan, narrowed);
    this.reads.push(...parts.map((part) => partRead(part, scan.bounds, piece?.limits ?? null)));
    const limitsOf = (part: CatalogPart): readonly string[] =>
      piece === null ? [] : this.timeLimits(part, piece.limits);
    const types = names.map((name) => [name, valueAt(scan.columns, name)] as const);
    ensureConfined(scan, this.choices.tenant);
    const [only] = parts;
    if (
      scan.tenant === null &&
      parts.length === 1 &&
      only &&
      only.rows === undefined &&
      only.ofTenants === undefined &&
      limitsOf(only).length === 0 &&
      this.texts(scan, only).length === 0 &&
      types.every(([name, type]) => name !== scan.nested?.column && this.dialect.isPlain(only, name, type)) &&
      names.every((name) => this.searched(scan, only, name) === null)
    ) {
      return this.dialect.tableName(only);
    }
    const select = (part: CatalogPart | null): string => {
      if (scan.tenant !== null && part !== null) {
        return this.confined(scan, scan.tenant, { part, types, limits: limitsOf(part) });
      }
      const items = types.map(
        ([name, type]) => `${this.column(scan, part, name, type)} AS ${this.dialect.quoteIdentifier(name)}`
      );
      const from = part === null ? '' : ` FROM ${this.dialect.tableName(part)}`;
      const conditions =
        part === null
          ? ['FALSE']
          : [...this.tenants(part), ...limitsOf(part), ...this.texts(scan, part), ...this.numbered(part)];
      const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
      return `SELECT ${items.length === 0 ? '1 AS one' : items.join(', ')}${from}${where}`;
    };
    const reads = parts.map(select);
    return `(${reads.length === 0 ? select(null) : reads.join(' UNION ALL ')})`;
  }

  private confined(scan: ScanInput, { value, place }: TenantFilter, { part, types, limits }: Read): string {
    const columns = types.map(([name, type]) => ({ name, type, sql: this.column(scan, part, name, type) }));
    const tenant = this.dialect.expression(value);
    const { guarded } = this.choices;
    const [rows = null] = this.numbered(part);
    if (place === null)
      return this.dialect.confined({ part, columns, condition: 'FALSE', isPlain: true, guarded, rows });
    const isPlain = 'column' in place && this.dialect.isPlain(part, place.column, STRING);
    const named =
      'column' in place
        ? this.dialect.partColumn(part, place.column, STRING)
        : this.dialect.jsonText(this.textWith(part, place.text, [place.path]), place.path);
    // Bounds that conditions imply: behind the guard the store cannot use those conditions to skip data.
    const bounds = guarded ? this.timeLimits(part, usefulLimits(scan.bounds)) : [];
    const condition = [`${named} = ${tenant}`, ...bounds, ...limits, ...this.texts(scan, part)].join(' AND ');
    return this.dialect.confined({ part, columns, condition, isPlain, guarded, rows });
  }

  /** A condition for the ranges of rows that are read. */
  private numbered({ rows }: CatalogPart): readonly string[] {
    if (rows === undefined) return [];
    const ranges = rows.map((range) => `(${this.dialect.numbered(range)})`);
    return [ranges.length === 0 ? 'FALSE' : `(${ranges.join(' OR ')})`];
  }

  private tenants(part: CatalogPart): readonly string[] {
    const { ofTenants } = part;
    if (ofTenants === undefined) return [];
    const tenant = this.dialect.partColumn(part, ofTenants.column, STRING);
    const values = ofTenants.values.filter((value) => value !== null);
    const others = ofTenants.values.includes(null) ? [`${tenant} IS NULL`] : [];
    const listed = values.map((value) => this.dialect.expression(boundText(`tenant ${value}`, value))).join(', ');
    const conditions = [...(values.length === 0 ? [] : [`${tenant} IN (${listed})`]), ...others];
    return [conditions.length === 0 ? 'FALSE' : `(${conditions.join(' OR ')})`];
  }

  /** Conditions for an index on texts. */
  private texts(scan: ScanInput, part: CatalogPart): readonly string[] {
    return indexedTexts(part, this.choices.needs?.get(scan), this.dialect);
  }

  private column(scan: ScanInput, part: CatalogPart | null, name: string, type: Type): string {
    const { nested } = scan;
    if (part !== null && name === nested?.column) return this.textWith(part, nested.text, nested.paths);
    return this.searched(scan, part, name) ?? this.dialect.partColumn(part, name, type);
  }

  private searched(scan: ScanInput, part: CatalogPart | null, name: string): string | null {
    return part && searchedComposition(part, name, this.choices.needs?.get(scan), this.dialect);
  }

  /** The shortest text of the part with the fields at these paths. */
  private textWith(part: CatalogPart, whole: string, paths: readonly (readonly string[])[]): string {
    const { rest } = part;
    if (rest === undefined || paths.some((path) => isInColumn(rest, path))) {
      return this.dialect.partColumn(part, whole, STRING);
    }
    return this.dialect.quoteIdentifier(rest.column);
  }

  /** Exact conditions for limits of the time, both inclusive. */
  private timeLimits(part: CatalogPart, { fromMicros, toMicros }: ScanInput['bounds']): readonly string[] {
    const limit = (operator: string, micros: number): string[] => {
      if (!Number.isFinite(micros)) return [];
      const literal = { kind: 'literal', type: TIMESTAMP, value: BigInt(micros) } as const;
      const time = this.dialect.partColumn(part, 'timestamp', TIMESTAMP);
      return [`${time} ${operator} ${this.dialect.expression(literal)}`];
    };
    return [...limit('>=', fromMicros), ...limit('<=', toMicros)];
  }
}

/** True when a column has the value at the path, or one below it. */
function isInColumn({ inColumns }: RestText, path: readonly string[]): boolean {
  return inColumns.some((other) => path.every((key, i) => other[i] === key));
}

interface Read {
  readonly part: CatalogPart;
  readonly types: readonly (readonly [string, Type])[];
  /** Conditions on the time. */
  readonly limits: readonly string[];
}

/** Limits outside of 1970 to 2261 exclude too little to be useful, and not every store can represent them. */
const EARLIEST_LIMIT_MICROS = 0;
const LATEST_LIMIT_MICROS = 9_200_000_000_000_000;

function usefulLimits({ fromMicros, toMicros }: ScanInput['bounds']): ScanInput['bounds'] {
  const isUseful = (micros: number): boolean => micros >= EARLIEST_LIMIT_MICROS && micros <= LATEST_LIMIT_MICROS;
  return {
    fromMicros: isUseful(fromMicros) ? fromMicros : Number.NEGATIVE_INFINITY,
    toMicros: isUseful(toMicros) ? toMicros : Number.POSITIVE_INFINITY,
  };
}

/** Throws if a scan lacks the tenant condition, so that such a statement never reaches a store. */
function ensureConfined({ tenant: filter }: ScanInput, tenant: string | null): void {
  if ((filter?.value.value.value ?? null) !== tenant)
    throw new Error('a scan is not confined to the tenant of its statement');
}

/** Parts that overlap the scan's bounds. */
export function partsInBounds(scan: ScanInput, narrowed?: NarrowedScans): readonly CatalogPart[] {
  const { parts, bounds } = scan;
  return (narrowed?.get(scan) ?? parts).filter(
    (part) => part.toMicros > bounds.fromMicros && part.fromMicros <= bounds.toMicros
  );
}
