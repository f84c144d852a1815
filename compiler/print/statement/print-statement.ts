/** Prints a resolved statement as SQL of its store, with its bound values. */
import type { CompiledStatement, SplitQuery } from '../../output/compiled-query';
import { newestFirstScan } from '../../ir/passes/rows/newest-first';
import type { QueryPlan, ScanInput } from '../../ir/plan';
import { pushedOrder } from '../../ir/passes/rows/push-order';
import { findReachable, type Reachable } from '../../ir/passes/reachable';
import type { ResolvedStatement } from '../../resolve/resolve-statement';
import type { FailurePlace } from '../../output/failure-places';
import { FailurePlaces } from '../expressions/failure-place';
import { joinedPieces, newestPieces, type ScanPiece } from '../reads/newest-pieces';
import { capped, withTables } from '../relations/print-plan';
import type { PrintOptions } from './print-options';
import { partsInBounds } from '../reads/print-scan';
import { printSplit } from './print-split';
import { needsOf } from './search';
import { BoundValues, StatementPrinter } from './statement-printer';

export interface PrintedStatement extends CompiledStatement {
  /** Statements over older parts, see `CompiledQuery.older`. */
  readonly older: Iterable<CompiledStatement>;
  readonly rowLimit: number;
  readonly split: () => SplitQuery | null;
  readonly places: readonly FailurePlace[];
}

interface PrintChoices {
  readonly places: FailurePlaces;
  readonly reachable: Reachable;
  readonly only: ScanPiece | null;
  readonly guarded: boolean;
}

export function printStatement(statement: ResolvedStatement, options: PrintOptions): PrintedStatement {
  const { limit } = options;
  const { plan } = statement.query;
  const reachable = findReachable(plan, statement.outputs);
  const { tenant, parameters } = statement.resolution.input;
  const places = new FailurePlaces(parameters, statement.adhoc !== null);
  const print = (only: ScanPiece | null): CompiledStatement => {
    const printed = printOnce(statement, options, { reachable, only, guarded: false, places });
    if (tenant === null) return printed;
    return printed.mayFail ? printOnce(statement, options, { reachable, only, guarded: true, places }) : printed;
  };
  const rows = capped(plan.limit, limit);
  const rowLimit = rows.kind === 'literal' ? Number(rows.value) : limit;
  const scan = newestFirstScan(plan, reachable);
  const [newest, ...rest] = scan ? piecesOf(scan, plan, options) : [];
  if (newest === undefined || rest.length === 0) {
    const split = (): SplitQuery | null => printSplit(statement, options, places);
    return { ...print(null), older: [], rowLimit, split, places: places.list };
  }
  const older = {
    *[Symbol.iterator]() {
      for (const piece of rest) yield print(piece);
    },
  };
  return { ...print(newest), older, rowLimit, split: () => null, places: places.list };
}

function piecesOf(
  scan: ScanInput,
  { body }: QueryPlan,
  { store, nowMicros, narrowed, extentOf }: PrintOptions
): readonly ScanPiece[] {
  const parts = partsInBounds(scan, narrowed);
  const whole = parts.filter((part) => part.rows === undefined);
  // Few events are searched for, so it takes all pieces to find them. Those that satisfy a condition may be few, too.
  const isRare = whole.length * 2 <= partsInBounds(scan).length && narrowed?.has(scan) === true;
  const isFiltered = body.kind === 'select' && body.where.length > 0;
  const isCut = store.cutsParts && !isRare && !isFiltered;
  return joinedPieces(newestPieces(scan, parts, isCut ? { nowMicros, extentOf } : null));
}

function printOnce(
  statement: ResolvedStatement,
  { store, limit, nowMicros, narrowed }: PrintOptions,
  { reachable, only, guarded, places }: PrintChoices
): CompiledStatement & { readonly mayFail: boolean } {
  const { query, outputs, resolution } = statement;
  const values = new BoundValues();
  const order = store.pushesOrder ? pushedOrder(query.plan, reachable) : undefined;
  const pushed = order && { ...order, limit: capped(query.plan.limit, limit) };
  const printer = new StatementPrinter(
    { plan: query.plan, store, reachable, places, nowMicros, values },
    {
      only,
      pushed,
      guarded,
      tenant: resolution.input.tenant,
      isVolatile: resolution.isVolatile,
      ...(narrowed && { narrowed }),
      ...(store.testsTexts && { needs: needsOf(statement) }),
    }
  );
  const { tables, body } = printer.plans.statement(query.plan, outputs, resolution.commonTables, limit);
  const sql = withTables(tables, body);
  const { isVolatile } = resolution;
  const { reads } = printer.plans;
  return { sql, values: values.list, reads, mayFail: printer.mayFail, ...(isVolatile && { isVolatile }) };
}
