/** What a scan searches columns for, and what filters by tenant tell about it. */
import type { CommonText, SearchedScan } from '#compiler/store';
import { blocksWith, type GramNeeds, gramNeeds, testsOf } from '../candidate-blocks';
import type { FilterFile } from '../filter-file';
import type { TenantTexts } from '../filter-layout';

/** Tenants in a condition. */
const MOST_TENANTS = 32;
/** Tenants in all conditions of a scan: each is a value of the statement. */
const MOST_TENANTS_OF_A_SCAN = 64;
/** With more of the rows, a condition costs more than it saves. */
const LARGEST_SHARE = 0.75;

export type Tenant = TenantTexts['tenant'];

/** A scan of one run. */
export class TenantSearch {
  /** Columns that are searched for texts with grams. */
  readonly columns: readonly string[];
  private readonly needs: ReadonlyMap<string, GramNeeds>;
  /** Tenants in conditions so far. */
  private readonly chosen = new Set<Tenant>();

  constructor(readonly scan: SearchedScan) {
    const searched = new Set([...testsOf(scan.need)].map(({ column }) => column));
    const needs = [...searched].map((column) => [column, gramNeeds(scan, column)] as const);
    this.needs = new Map(needs.filter(([, { all }]) => all.size > 0));
    this.columns = [...this.needs.keys()];
  }

  /** Tenants of a part that may have a row which the scan needs. @param filters of its searched columns */
  async wanted(filters: readonly FilterFile[], all: readonly TenantTexts[]): Promise<ReadonlySet<Tenant>> {
    let wanted: ReadonlySet<Tenant> = new Set(all.map(({ tenant }) => tenant));
    for (const filter of filters) {
      const having = await this.tenantsWith(filter);
      if (having !== null) wanted = new Set([...wanted].filter((tenant) => having.has(tenant)));
    }
    return wanted;
  }

  /** Whether a condition for these tenants is to be printed. */
  chooses(wanted: ReadonlySet<Tenant>, all: readonly TenantTexts[]): boolean {
    if (wanted.size > MOST_TENANTS || rowsOf(wanted, all) > LARGEST_SHARE * rowsOf(null, all)) return false;
    const chosen = new Set([...this.chosen, ...wanted]);
    if (chosen.size > MOST_TENANTS_OF_A_SCAN) return false;
    for (const tenant of wanted) this.chosen.add(tenant);
    return true;
  }

  /** Texts that the scan searches for and each value of the column contains, in all rows of these tenants. */
  commonTextsOf(
    { description: { column, ofTenants = [] } }: FilterFile,
    tenants: ReadonlySet<Tenant>
  ): readonly CommonText[] {
    const prefixes = ofTenants.filter(({ tenant }) => tenants.has(tenant)).map(({ prefix }) => prefix);
    return [...testsOf(this.scan.need)]
      .filter((test) => test.column === column && !test.anyCase)
      .filter(({ text }) => prefixes.every((prefix) => prefix.includes(text)))
      .map(({ text }) => ({ column, text }));
  }

  /** Null: any. */
  private async tenantsWith(filter: FilterFile): Promise<ReadonlySet<Tenant> | null> {
    const { column, ofTenants = [] } = filter.description;
    const needs = this.needs.get(column);
    if (needs === undefined) return null;
    const lookUp = await filter.prepare(needs.all);
    const blocks = blocksWith(this.scan.need, (test) =>
      test.column === column ? lookUp(needs.grams.get(test) ?? []) : null
    );
    return blocks && new Set(ofTenants.filter((_, block) => blocks[block] === 1).map(({ tenant }) => tenant));
  }
}

/** Number of rows of these tenants. @param tenants null: of all */
export function rowsOf(tenants: ReadonlySet<Tenant> | null, all: readonly TenantTexts[]): number {
  return all.reduce((sum, { tenant, rows }) => sum + (tenants === null || tenants.has(tenant) ? rows : 0), 0);
}
