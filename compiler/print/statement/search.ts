/** What a statement searches texts for, and the statement over the parts and rows that may hold them. */
import type { CatalogPart } from '../../catalog/catalog';
import type { CompiledQuery } from '../../output/compiled-query';
import { findReachable } from '../../ir/passes/reachable';
import type { ScanInput } from '../../ir/plan';
import { type ScanNeeds, scanNeeds } from '../../ir/search/scan-needs';
import type { QuerySearch } from '../../output/compiled-query';
import type { SearchedTenant } from '../../output/query-search';
import type { ResolvedStatement } from '../../resolve/resolve-statement';
import { type NarrowedScans, partsInBounds } from '../reads/print-scan';

const known = new WeakMap<ResolvedStatement, ScanNeeds>();

/** @param print prints the statement over these parts. @returns null for a statement that needs no known text */
export function searchOf(
  statement: ResolvedStatement,
  print: (narrowed: NarrowedScans) => CompiledQuery
): QuerySearch | null {
  const scans = [...needsOf(statement)];
  if (scans.length === 0) return null;
  return {
    scans: scans.map(([scan, need]) => ({ need, parts: partsInBounds(scan), tenant: tenantOf(scan) })),
    narrowed: (parts) =>
      print(new Map(scans.map(([scan], index): [ScanInput, readonly CatalogPart[]] => [scan, parts[index]!]))),
  };
}

/** Texts that the rows of scans must hold. */
export function needsOf(statement: ResolvedStatement): ScanNeeds {
  let needs = known.get(statement);
  if (needs === undefined) {
    const { plan } = statement.query;
    needs = scanNeeds(plan, findReachable(plan, statement.outputs));
    known.set(statement, needs);
  }
  return needs;
}

function tenantOf({ tenant }: ScanInput): SearchedTenant | null {
  if (tenant === null) return null;
  const { value, place } = tenant;
  return {
    column: place !== null && 'column' in place ? place.column : null,
    // The tenant of a scan is a text.
    value: String(value.value.value),
  };
}
