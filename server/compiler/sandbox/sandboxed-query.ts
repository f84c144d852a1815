/**
 * What a statement may read. A saved query reads sources and its own WITH queries; an ad-hoc statement takes the place of the saved
 * query's final SELECT and reads only the WITH queries of it, at every depth: sources are not in its sight at all.
 */
import { ServiceError } from '#contract/errors';
import type { AdhocText } from '#contract/query';
import type { SavedQuery } from '#contract/saved-query';
import type { QueryExpression } from '../ast';
import { parseStatement } from '../sql/parser/parse-statement';
import { DEFINITION_LIMITS } from '../sql/parse-limits';
import { readAdhocStatement, type AdhocStatement } from './adhoc-statement';

declare const sandboxed: unique symbol;

/** Only `sandboxQuery` makes one, and only such a value is resolved. */
export interface SandboxedQuery {
  readonly [sandboxed]: true;
  /** The saved query, whose WITH queries may read sources. */
  readonly definition: QueryExpression;
  /** The statement that stands in for its final SELECT; it has no sources in sight. */
  readonly adhoc: AdhocStatement | null;
}

const definitions = new WeakMap<SavedQuery, QueryExpression>();

/**
 * @throws ServiceError `sandbox_disabled`, `sandbox_violation` when the saved query has no named tables, and everything
 * `readAdhocStatement` throws.
 */
export function sandboxQuery(definition: SavedQuery, adhoc: AdhocText | null): SandboxedQuery {
  const parsed = parseDefinition(definition);
  if (adhoc === null) return { definition: parsed, adhoc: null } as SandboxedQuery;
  if (!definition.sandbox) {
    throw new ServiceError('sandbox_disabled', `the saved query "${definition.name}" takes no ad-hoc queries`, {
      reason: 'sandbox_disabled',
    });
  }
  if (parsed.with.length === 0) {
    throw new ServiceError('sandbox_violation', `the saved query "${definition.name}" has no named tables to read`, {
      reason: 'no_tables',
      rule: 'table',
      tables: [],
    });
  }
  return { definition: parsed, adhoc: readAdhocStatement(adhoc, definition) } as SandboxedQuery;
}

/** The tree of a definition, parsed once for each value. */
export function parseDefinition(definition: SavedQuery): QueryExpression {
  let parsed = definitions.get(definition);
  if (parsed === undefined) {
    parsed = parseStatement(definition.query, DEFINITION_LIMITS);
    definitions.set(definition, parsed);
  }
  return parsed;
}
