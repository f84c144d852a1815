/**
 * Resolves a whole statement: the saved query's WITH queries, then its final SELECT or the ad-hoc statement that
 * replaces it.
 */
import type { QueryExpression } from '../ast';
import { mentionedTables, neededTables } from '../ast/mentioned-tables';
import type { SourceRedaction } from '../catalog/source-redaction';
import { PlainProjections } from './relations/plain-projection';
import { QueryRelation } from './relations/query-relation';
import { QueryResolver } from './query/resolve-query';
import { Resolution, type CommonTable, type ResolutionInput, type TableScope } from './resolution';
import type { ResolvedQuery } from './query/resolved-query';
import type { AdhocTree, SandboxTable } from '../sandbox/adhoc-statement';
import type { SandboxedQuery } from '../sandbox/sandboxed-query';

export interface ResolvedStatement {
  readonly resolution: Resolution;
  /** The sandbox tables: the WITH queries of the saved query. */
  readonly tables: TableScope;
  readonly query: ResolvedQuery;
  /** The resolved ad-hoc statement; null for the saved query itself. */
  readonly adhoc: AdhocTree | null;
  /** Physical outputs of the result, in the order of `query.columns`. */
  readonly outputs: readonly string[];
}

const NOTHING: TableScope = { tables: [], parent: null };

function savedTables(
  { definition, adhoc }: SandboxedQuery,
  resolver: QueryResolver,
  extent: 'all' | 'read'
): TableScope {
  if (extent === 'all') return resolver.commonTables(definition, NOTHING);
  const names = definition.with.map(({ name }) => name.name);
  const mentioned = adhoc === null ? mentionedByFinal(definition) : adhoc.mentioned(names);
  const needed = neededTables(definition.with, mentioned);
  return { ...resolver.commonTables({ ...definition, with: needed }, NOTHING), names };
}

function mentionedByFinal({ body, orderBy, limit }: QueryExpression): ReadonlySet<string> {
  const parts = [body, ...orderBy, ...(limit === null ? [] : [limit])];
  return new Set(parts.flatMap((part) => [...mentionedTables(part)]));
}

/**
 * @param extent `all`: each WITH query of the saved query; `read`: those that the statement needs, since the others
 * were checked with `all`
 * @throws ServiceError for invalid names, types and positions
 */
export function resolveStatement(
  query: SandboxedQuery,
  input: ResolutionInput,
  extent: 'all' | 'read'
): ResolvedStatement {
  const resolution = new Resolution(input, true);
  resolution.marksSites = query.adhoc === null;
  const resolver = new QueryResolver(resolution);
  const tables = savedTables(query, resolver, extent);
  let resolved: ResolvedQuery;
  let adhoc: AdhocTree | null = null;
  if (query.adhoc === null) {
    resolved = resolver.resolve({ ...query.definition, with: [] }, null, tables);
  } else {
    resolution.sourcesVisible = false;
    resolution.marksSites = true;
    resolution.usedTables.clear();
    resolution.usedParameters.clear();
    adhoc = query.adhoc.treeFor(tables.tables.map(sandboxTable), () => input.time.fix());
    resolved = resolver.resolve(adhoc.tree, null, redacting(tables, input.redaction));
  }
  const redacted = resolved.columns.map((_, index) => resolved.output(index, [], 'value').name);
  const outputs = input.redaction === null ? redacted : withPlain(redacted, resolved, resolution);
  resolution.narrowAll();
  return { resolution, tables, query: resolved, adhoc, outputs };
}

function sandboxTable({ name, query: { columns } }: CommonTable): SandboxTable {
  return { name, columns };
}

/** The named tables as a caller's statement sees them, with redaction. */
function redacting(scope: TableScope, redaction: SourceRedaction | null): TableScope {
  return { ...scope, tables: scope.tables.map((table) => ({ ...table, redaction })) };
}

function withPlain(outputs: readonly string[], { plan }: ResolvedQuery, resolution: Resolution): readonly string[] {
  const isBorder = (id: number): boolean => {
    const relation = resolution.relation(id);
    return relation instanceof QueryRelation && relation.isBorder;
  };
  const plain = new PlainProjections(resolution, isBorder);
  return outputs.map((output) => plain.of(plan, output) ?? output);
}
