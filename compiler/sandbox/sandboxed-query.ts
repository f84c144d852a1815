/**
 * Sandbox: what a statement may read. A saved query reads sources and its own WITH queries. An ad-hoc statement
 * replaces the saved query's final SELECT and reads only its WITH queries, at every depth; sources are not in its
 * scope.
 */
import { ServiceError } from '#contract/errors';
import { ensureSandbox } from '#contract/failures';
import type { AdhocText } from '#contract/queries/query';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { QueryExpression } from '../ast';
import { parseStatement } from '../sql/parser/query/parse-statement';
import { DEFINITION_LIMITS } from '../sql/parse-limits';
import { readAdhocStatement, type AdhocStatement } from './adhoc-statement';

declare const sandboxed: unique symbol;

/** Created by `sandboxQuery` only; the resolver accepts no other value. */
export interface SandboxedQuery {
  readonly [sandboxed]: true;
  /** The saved query, whose WITH queries may read sources. */
  readonly definition: QueryExpression;
  /** The statement that replaces the final SELECT, without sources in its scope. */
  readonly adhoc: AdhocStatement | null;
}

const definitions = new WeakMap<SavedQuery, QueryExpression>();

/**
 * @throws ServiceError `sandbox_disabled`, `sandbox_violation` when the saved query has no named tables, and the errors
 * of `readAdhocStatement`
 */
export function sandboxQuery(definition: SavedQuery, adhoc: AdhocText | null): SandboxedQuery {
  const parsed = parseDefinition(definition);
  if (adhoc === null) return { definition: parsed, adhoc: null } as SandboxedQuery;
  ensureSandbox(definition);
  if (parsed.with.length === 0) {
    throw new ServiceError('sandbox_violation', `the saved query "${definition.name}" has no named tables to read`, {
      reason: 'no_tables',
      rule: 'table',
      tables: [],
    });
  }
  return { definition: parsed, adhoc: readAdhocStatement(adhoc, definition) } as SandboxedQuery;
}

/** Syntax tree of a definition, cached by object identity. */
export function parseDefinition(definition: SavedQuery): QueryExpression {
  let parsed = definitions.get(definition);
  if (parsed === undefined) {
    parsed = parseStatement(definition.query, DEFINITION_LIMITS);
    definitions.set(definition, parsed);
  }
  return parsed;
}
