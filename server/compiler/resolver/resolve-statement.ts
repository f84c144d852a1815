/** A whole statement: the saved query's WITH queries, then its own final SELECT or the ad-hoc one in its place. */
import { failure } from './failure';
import { QueryResolver } from './resolve-query';
import { Resolution, type CommonTable, type ResolutionInput, type TableScope } from './resolution';
import type { ResolvedQuery } from './resolved-query';
import type { AdhocTree, SandboxTable } from '../sandbox/adhoc-statement';
import type { SandboxedQuery } from '../sandbox/sandboxed-query';

export interface ResolvedStatement {
  readonly resolution: Resolution;
  /** The sandbox tables: the WITH queries of the saved query. */
  readonly tables: TableScope;
  readonly query: ResolvedQuery;
  /** The ad-hoc statement as it was resolved; null when the saved query itself was. */
  readonly adhoc: AdhocTree | null;
  /** Physical outputs of the result, in the order of `query.columns`. */
  readonly outputs: readonly string[];
}

const NOTHING: TableScope = { tables: [], parent: null };

/** @throws ServiceError for every name, type or place that is wrong */
export function resolveStatement(query: SandboxedQuery, input: ResolutionInput): ResolvedStatement {
  const resolution = new Resolution(input, true);
  const resolver = new QueryResolver(resolution);
  const tables = resolver.commonTables(query.definition, NOTHING);
  let resolved: ResolvedQuery;
  let adhoc: AdhocTree | null = null;
  if (query.adhoc === null) {
    resolved = resolver.resolve({ ...query.definition, with: [] }, null, tables);
  } else {
    resolution.sourcesVisible = false;
    resolution.usedTables.clear();
    resolution.usedParameters.clear();
    adhoc = query.adhoc.treeFor(tables.tables.map(sandboxTable), input.nowMicros);
    resolved = resolver.resolve(adhoc.tree, null, tables);
  }
  refuseDoubledNames(resolved);
  const outputs = resolved.columns.map((_, index) => resolved.output(index, [], 'value').name);
  resolution.narrowAll();
  return { resolution, tables, query: resolved, adhoc, outputs };
}

function sandboxTable({ name, query: { columns } }: CommonTable): SandboxTable {
  return { name, columns };
}

/** Rows are objects: two columns of one name would lose one. */
function refuseDoubledNames(query: ResolvedQuery): void {
  const seen = new Set<string>();
  query.columns.forEach(({ name }, index) => {
    if (seen.has(name)) {
      const position = query.positions[index] ?? query.positions[0];
      throw failure(
        'duplicate_column',
        `the result has two columns named "${name}"`,
        position as NonNullable<typeof position>,
        {
          name,
          hint: 'name one of them with AS',
        }
      );
    }
    seen.add(name);
  });
}
