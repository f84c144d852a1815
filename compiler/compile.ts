/**
 * Entry point of the compiler: compiles text with a catalog to a CompiledQuery. Pure: no I/O, no clock, no
 * configuration.
 */
import type { DescribeResult, ValidateResult } from '#contract/queries/description';
import { knownHint } from '#contract/nearest-name';
import { ServiceError } from '#contract/errors';
import type { AdhocText } from '#contract/queries/query';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { Catalog, ExtentOf } from './catalog/catalog';
import type { CompiledQuery, QuerySearch } from './output/compiled-query';
import { describeStatement } from './describe';
import type { NarrowedScans } from './print/reads/print-scan';
import { printStatement } from './print/statement/print-statement';
import { searchOf } from './print/statement/search';
import { storeSql } from './print/store-sql';
import { RequestTime } from './ir/request-time';
import { outputColumns } from './ir/output-type';
import { resolveStatement, type ResolvedStatement } from './resolve/resolve-statement';
import { parseDefinition, sandboxQuery } from './sandbox/sandboxed-query';
import type { SourceRedaction } from './catalog/source-redaction';
import { redactedCatalog } from './catalog/redacted-catalog';
import { printCanonical } from './sql/canonical/print-canonical';
import { tenantCatalog } from './catalog/tenant-catalog';

export interface CompileRequest {
  readonly definition: SavedQuery;
  /** Replaces the definition's final SELECT; null runs the saved query itself. */
  readonly adhoc: AdhocText | null;
  /** Values of the declared parameters; null when absent. */
  readonly parameters: Readonly<Record<string, string | null>>;
  readonly catalog: Catalog;
  /** What the store knows of its parts. @default nothing */
  readonly extentOf?: ExtentOf;
  /** Current time of the request in microseconds since 1970. */
  readonly nowMicros: number;
  readonly maxRows: number;
  /** Null: no redaction. */
  readonly redaction: SourceRedaction | null;
  /** Confines every scan of a source to events of this tenant; null: all tenants. */
  readonly tenant: string | null;
}

/** A statement with resolved names and types, and the time for which it is valid. */
export interface ResolvedRequest {
  readonly statement: ResolvedStatement;
  readonly time: RequestTime;
}

/**
 * @throws ServiceError `query_invalid`, `sandbox_violation`, `sql_syntax`, `sql_empty`, `query_too_complex`,
 * `parameter_invalid`, with `details.reason` and a position in the ad-hoc text, or in the definition's text without
 * one.
 */
export function compile(request: CompileRequest): CompiledQuery {
  return printResolved(resolveRequest(request), request);
}

/**
 * Parses and resolves: the first and longer half of `compile`. The result serves equal requests as long as
 * `time.holdsAt` is true.
 */
export function resolveRequest(request: CompileRequest): ResolvedRequest {
  const time = new RequestTime(request.nowMicros);
  return { statement: resolve(request, 'read', time), time };
}

/** Prints: the second half of `compile`. */
export function printResolved({ statement }: ResolvedRequest, request: PrintRequest): CompiledQuery {
  return printQuery(statement, request);
}

type PrintRequest = Pick<CompileRequest, 'catalog' | 'extentOf' | 'maxRows' | 'nowMicros'>;

function printQuery(statement: ResolvedStatement, request: PrintRequest, narrowed?: NarrowedScans): CompiledQuery {
  const { catalog, extentOf, maxRows, nowMicros } = request;
  const store = storeSql(catalog.dialect);
  const printed = printStatement(statement, { store, limit: maxRows + 1, nowMicros, narrowed, extentOf });
  const columns = outputColumns(statement.query.columns);
  const warnings = statement.adhoc?.warnings ?? [];
  const search = (): QuerySearch | null => searchOf(statement, (scans) => printQuery(statement, request, scans));
  return { ...printed, columns, maxRows, warnings, search } as unknown as CompiledQuery;
}

/** Checks a definition: statements, names and types, with all parameters absent. Runs nothing. */
export function validateDefinition(
  definition: SavedQuery,
  catalog: Catalog,
  redaction: SourceRedaction | null,
  tenant: string | null
): ValidateResult {
  const statement = resolve(withoutParameters(definition, catalog, redaction, tenant), 'all');
  ensureDefaultTable(definition, statement);
  printStatement(statement, { store: storeSql(catalog.dialect), limit: definition.max_rows + 1, nowMicros: 0 });
  return validated(printCanonical(parseDefinition(definition)), statement);
}

function ensureDefaultTable({ default_table }: SavedQuery, { tables }: ResolvedStatement): void {
  const names = tables.tables.map(({ name }) => name);
  if (default_table === undefined || names.includes(default_table)) return;
  throw new ServiceError(
    'definition_invalid',
    `default_table "${default_table}" is not a table that the query defines`,
    {
      tables: names,
    }
  );
}

/** Checks ad-hoc text in the sandbox of a saved query. Runs nothing. */
export function validateAdhoc(request: Omit<CompileRequest, 'maxRows'>): ValidateResult {
  const { adhoc, definition } = sandboxQuery(request.definition, request.adhoc);
  const statement = resolve({ ...request, maxRows: 1 }, 'all');
  printStatement(statement, { store: storeSql(request.catalog.dialect), limit: 1, nowMicros: request.nowMicros });
  const result = validated(adhoc?.canonical() ?? printCanonical(definition), statement);
  if (request.adhoc?.language !== 'lql' || statement.adhoc === null) return result;
  const { tree, warnings } = statement.adhoc;
  return { ...result, sql: printCanonical(tree), warnings };
}

/** Describes output columns and sandbox tables, with nested fields and types. */
export function describe(
  definition: SavedQuery,
  catalog: Catalog,
  redaction: SourceRedaction | null,
  tenant: string | null
): DescribeResult {
  return describeStatement(
    resolve(withoutParameters(definition, catalog, redaction, tenant), 'all'),
    definition.sandbox
  );
}

/** Request that runs the saved query itself with all parameters absent. */
function withoutParameters(
  definition: SavedQuery,
  catalog: Catalog,
  redaction: SourceRedaction | null,
  tenant: string | null
): CompileRequest {
  const parameters = Object.fromEntries(definition.parameters.map(({ name }) => [name, null]));
  return {
    definition,
    adhoc: null,
    parameters,
    catalog,
    nowMicros: 0,
    maxRows: definition.max_rows,
    redaction,
    tenant,
  };
}

function resolve(
  request: CompileRequest,
  extent: 'all' | 'read',
  time = new RequestTime(request.nowMicros)
): ResolvedStatement {
  const { definition, adhoc, parameters, redaction, tenant } = request;
  const catalog = redactedCatalog(tenantCatalog(request.catalog, tenant), redaction);
  const query = sandboxQuery(definition, adhoc);
  try {
    return resolveStatement(query, { catalog, parameters, time, redaction, tenant }, extent);
  } catch (error) {
    const explained = withKnownNames(error);
    throw adhoc === null ? explained : inSandboxWords(explained);
  }
}

/** A hint of the names that there are, for an error that has none. */
function withKnownNames(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.details.hint !== undefined) return error;
  const { tables, columns } = error.details;
  const names: unknown = tables ?? columns;
  if (!Array.isArray(names)) return error;
  const hint = knownHint(names === tables ? 'tables' : 'columns', names.map(String));
  return new ServiceError(error.code, error.message, { ...error.details, ...hint });
}

/**
 * Rewords an error for ad-hoc callers. An unavailable name gets the same message whether or not it exists outside of
 * the sandbox.
 */
function inSandboxWords(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.details.reason !== 'table_not_available') return error;
  const message = `table "${String(error.details.name)}" is not part of this query's sandbox`;
  return new ServiceError(error.code, message, error.details);
}

function validated(canonical: string, { query, resolution }: ResolvedStatement): ValidateResult {
  return {
    canonical,
    fields: outputColumns(query.columns).map(({ name, typeName }) => ({ name, type: typeName })),
    parameters: [...resolution.usedParameters],
    tables: [...resolution.usedTables],
  };
}
