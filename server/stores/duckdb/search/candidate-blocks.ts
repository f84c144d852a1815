/** Blocks of a part that may have rows which a query needs. */
import type { SearchedScan, TextNeed, TextTest } from '#compiler/store';
import { tenantKey } from './block-texts';
import type { Blocks } from './filter-file';
import type { FilterDescription } from './filter-layout';
import { gramsOf } from './grams';

/** Grams of a query: each is looked up in each part. */
const MAX_GRAMS = 256;
const MOST_GRAMS_OF_A_TEXT = 12;
const FEWEST_GRAMS_OF_A_TEXT = 4;

/** What is known of the blocks of a part. */
export interface BlockFilter {
  readonly description: Pick<FilterDescription, 'column' | 'tenantColumn' | 'tenants'>;
  /** @returns a look-up of these grams. It and `description` have the same blocks within a turn */
  prepare(grams: ReadonlySet<number>): Promise<(grams: readonly number[]) => Blocks>;
}

/** A need with the grams of texts of the searched column. */
export interface GramNeeds {
  readonly scan: SearchedScan;
  readonly grams: ReadonlyMap<TextTest, readonly number[]>;
  readonly all: ReadonlySet<number>;
}

export function gramNeeds(scan: SearchedScan, searched: string): GramNeeds {
  const tests = [...testsOf(scan.need)].filter(({ column }) => column === searched);
  const share = Math.floor(MAX_GRAMS / Math.max(1, tests.length));
  const most = Math.max(FEWEST_GRAMS_OF_A_TEXT, Math.min(MOST_GRAMS_OF_A_TEXT, share));
  const grams = new Map(tests.map((test) => [test, gramsOf(test.text, test.anyCase, most)]));
  return { scan, grams, all: new Set([...grams.values()].flat()) };
}

export interface Candidates {
  /** Whether rows of the block may be needed; null: of any block. */
  readonly needed: Blocks | null;
  /** Whether all rows of the block are of other tenants: DuckDB skips them by itself. */
  readonly others: Blocks | null;
}

const ALL: Candidates = { needed: null, others: null };

/** Blocks that may have rows which a scan needs. */
export async function candidateBlocks(filter: BlockFilter, { scan, grams, all }: GramNeeds): Promise<Candidates> {
  const { description } = filter;
  const { tenant } = scan;
  // For a tenant, what is read must not depend on events of others.
  if (tenant !== null && (tenant.column === null || tenant.column !== description.tenantColumn)) return ALL;
  const lookUp = await filter.prepare(all);
  const { tenants } = description;
  const found = blocksWith(scan.need, (test) =>
    test.column === description.column ? lookUp(grams.get(test) ?? []) : null
  );
  const own = tenant?.value ?? wantedTenant(scan.need, description.tenantColumn);
  if (own === null) return { needed: found, others: null };
  const key = tenantKey(own);
  const others = Uint8Array.from(tenants, (of) => (of !== '' && of !== key ? 1 : 0));
  const isAlwaysRead = (of: string): boolean => tenant !== null && of === '';
  const needed = Uint8Array.from(tenants, (of, block) => {
    if (others[block] === 1) return 0;
    return isAlwaysRead(of) ? 1 : (found?.[block] ?? 1);
  });
  return { needed, others };
}

/** Blocks that may have a row which meets the need. @param blocksOf null: any. @returns null: any */
export function blocksWith(need: TextNeed, blocksOf: (test: TextTest) => Blocks | null): Blocks | null {
  if (need.kind === 'text') return blocksOf(need);
  return (need.kind === 'all' ? intersection : union)(need.of.map((one) => blocksWith(one, blocksOf)));
}

/** The tenant of all rows that a query needs, by its own conditions; null: not known. */
function wantedTenant(need: TextNeed, tenantColumn: string | null): string | null {
  if (need.kind === 'text') return need.column === tenantColumn && need.isWhole && !need.anyCase ? need.text : null;
  if (need.kind === 'any') return null;
  for (const one of need.of) {
    const tenant = wantedTenant(one, tenantColumn);
    if (tenant !== null) return tenant;
  }
  return null;
}

export function* testsOf(need: TextNeed): Generator<TextTest> {
  if (need.kind === 'text') yield need;
  else for (const one of need.of) yield* testsOf(one);
}

function intersection(sets: readonly (Blocks | null)[]): Blocks | null {
  const known = sets.filter((set) => set !== null);
  const [first] = known;
  return first?.map((bit, block) => (known.every((set) => set[block] === 1) ? bit : 0)) ?? null;
}

function union(sets: readonly (Blocks | null)[]): Blocks | null {
  const known = sets.filter((set) => set !== null);
  if (known.length < sets.length) return null;
  return known[0]?.map((_, block) => (known.some((set) => set[block] === 1) ? 1 : 0)) ?? null;
}
