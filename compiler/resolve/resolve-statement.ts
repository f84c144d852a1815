/**
 * Resolves a whole statement: the saved query's WITH queries, then its final SELECT or the ad-hoc statement that
 * replaces it.
 */
import type { SourceRedaction } from '../catalog/source-redaction';
import { PlainProjections } from './relations/plain-projection';
import { QueryRelation } from './relations/relation';
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

/** @throws ServiceError for invalid names, types and positions */
export function resolveStatement(query: SandboxedQuery, input: ResolutionInput): ResolvedStatement {
  const resolution = new Resolution(input, true);
  resolution.marksSites = query.adhoc === null;
  const resolver = new QueryResolver(resolution);
  const tables = resolver.commonTables(query.definition, NOTHING);
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
function redacting({ tables, parent }: TableScope, redaction: SourceRedaction | null): TableScope {
  return { tables: tables.map((table) => ({ ...table, redaction })), parent };
}

function withPlain(outputs: readonly string[], { plan }: ResolvedQuery, resolution: Resolution): readonly string[] {
  const isBorder = (id: number): boolean => {
    const relation = resolution.relation(id);
    return relation instanceof QueryRelation && relation.isBorder;
  };
  const plain = new PlainProjections(resolution, isBorder);
  return outputs.map((output) => plain.of(plan, output) ?? output);
}
