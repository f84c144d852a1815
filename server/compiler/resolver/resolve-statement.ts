/** A whole statement: the saved query's WITH queries, then its own final SELECT or the ad-hoc one in its place. */
import { failure } from './failure';
import { QueryResolver } from './resolve-query';
import { Resolution, type ResolutionInput, type TableScope } from './resolution';
import type { ResolvedQuery } from './resolved-query';
import type { SandboxedQuery } from '../sandbox/sandboxed-query';

export interface ResolvedStatement {
  readonly resolution: Resolution;
  /** The sandbox tables: the WITH queries of the saved query. */
  readonly tables: TableScope;
  readonly query: ResolvedQuery;
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
  if (query.adhoc === null) {
    resolved = resolver.resolve({ ...query.definition, with: [] }, null, tables);
  } else {
    resolution.sourcesVisible = false;
    resolution.usedTables.clear();
    resolution.usedParameters.clear();
    resolved = resolver.resolve(query.adhoc, null, tables);
  }
  refuseDoubledNames(resolved);
  const outputs = resolved.columns.map((_, index) => resolved.output(index, [], 'value').name);
  resolution.narrowAll();
  return { resolution, tables, query: resolved, outputs };
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
