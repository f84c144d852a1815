/**
 * Runs a query over kept groups of the days that have not changed, and over the events of the others. Where that fails
 * for any reason, the query runs as it is: its failures are those that callers see.
 */
import type { CompiledQuery, SplitQuery, SplitUnit } from '#compiler/store';
import type { StoreRows } from '../../store';
import { type Readers, runQuery, runStatements } from '../read/query-runner';
import { translateError } from '../statements/store-errors';
import type { KeptGroups } from './kept-groups';

/** @throws ServiceError as `LogStore.execute` */
export async function runKept(
  readers: Readers,
  kept: KeptGroups,
  query: CompiledQuery,
  signal: AbortSignal
): Promise<StoreRows> {
  const split = kept.isOn ? query.split() : null;
  if (split !== null) {
    try {
      const rows = await runSplit(readers, kept, { query, split, signal });
      if (rows !== null) return rows;
    } catch (error) {
      if (signal.aborted) throw translateError(error, true);
    }
  }
  return runQuery(readers, query, signal);
}

interface SplitRun {
  readonly query: CompiledQuery;
  readonly split: SplitQuery;
  readonly signal: AbortSignal;
}

/** A part has changed between the look-up of its groups and the snapshot of the run. */
class PartChanged extends Error {}

/** @returns null when no groups are kept. @throws errors of the database; PartChanged */
async function runSplit(
  readers: Readers,
  kept: KeptGroups,
  { query, split, signal }: SplitRun
): Promise<StoreRows | null> {
  // Only for a query that is asked again: each piece is a statement of its own, and the first call is the slowest.
  const isAskedAgain = !split.units.some((unit) => kept.isWanted(unit));
  const days = split.units.map((day) =>
    isAskedAgain && day.pieces.some((piece) => kept.isOrCanBe(piece)) ? day.pieces : [day]
  );
  const fresh = new Set<SplitUnit>();
  for (const unit of days.flat()) {
    if (!kept.isWanted(unit)) continue;
    fresh.add(unit);
    await kept.keep(split, unit, signal);
  }
  const found = new Map<SplitUnit, { readonly table: string; readonly version: string | null }>();
  for (const unit of days.flat()) {
    const table = unit.isWhole ? kept.find(unit) : null;
    if (table !== null) found.set(unit, { table, version: kept.versionOf(unit) });
  }
  if (found.size === 0) return null;
  const statement = split.merge(
    [...found.values()].map(({ table }) => table),
    days.flat().filter((unit) => !found.has(unit))
  );
  const onPrepared = (): void => {
    for (const [unit, { version }] of found) if (kept.versionOf(unit) !== version) throw new PartChanged();
  };
  const rows = await runStatements(readers, query, { statements: [statement], signal, onPrepared });
  const read = days.filter((units) => units.some((unit) => fresh.has(unit) || !found.has(unit))).length;
  return { ...rows, days: { read, kept: days.length - read, keptBytes: kept.bytes } };
}
