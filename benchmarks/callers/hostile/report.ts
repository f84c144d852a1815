/** The rows of the table: each figure of all recipes together, with the recipe that was worst. */
import { grouped, ms, type Row } from '../../support/report';
import { HOSTILE_INGEST_P99_BAR_MS, HOSTILE_QUERY_P99_BAR_MS, HOSTILE_THREAD_BAR_MS } from '../../support/settings';
import { quantile } from '../../support/statistics';
import type { NeighborCall } from '../../../tests/support/hostile/neighbor';
import type { HostileOutcome } from './run';

/** @param difference between what the neighbor sent and what is stored; null: none */
export function hostileRows(outcomes: readonly HostileOutcome[], difference: string | null): Row[] {
  return [
    latencyRow(outcomes, 'query', HOSTILE_QUERY_P99_BAR_MS),
    latencyRow(outcomes, 'ingest', HOSTILE_INGEST_P99_BAR_MS),
    threadRow(outcomes, 'server', ({ holds }) => holds.serverMs),
    threadRow(outcomes, 'engine', ({ holds }) => holds.engineMs),
    countRow(outcomes, 'failed calls of the neighbor', ({ calls }) => calls.filter(isFailed).length),
    countRow(outcomes, 'restarts of the engine', ({ restarts }) => restarts),
    countRow(outcomes, 'answers that the recipe does not expect', ({ unexpected }) => unexpected.length),
    { ...countRow([], 'events of the neighbor not stored once', () => 0), ...lossOf(difference) },
  ];
}

const isFailed = ({ problem }: NeighborCall): boolean => problem !== null;

function latencyRow(outcomes: readonly HostileOutcome[], kind: NeighborCall['kind'], barMs: number): Row {
  const durations = (outcome: HostileOutcome): number[] =>
    outcome.calls.filter((call) => call.kind === kind).map(({ durationMs }) => durationMs);
  const sorted = outcomes.flatMap(durations).sort((a, b) => a - b);
  const p99Ms = quantile(sorted, 0.99);
  const maxMs = quantile(sorted, 1);
  return row(outcomes, `${kind} of a neighbor under hostile bodies`, {
    size: `${grouped(sorted.length)} calls, ${outcomes.length} bodies`,
    measured: `${ms(quantile(sorted, 0.5))}, p99 ${ms(p99Ms)}, max ${ms(maxMs)}`,
    p95: ms(quantile(sorted, 0.95)),
    bar: `p99 ${ms(barMs)}`,
    isWithin: p99Ms <= barMs,
    detail: worst(outcomes, (outcome) => Math.max(0, ...durations(outcome)), ms),
    figures: { p50Ms: quantile(sorted, 0.5), p99Ms, maxMs, calls: sorted.length },
  });
}

function threadRow(outcomes: readonly HostileOutcome[], who: string, heldMs: (outcome: HostileOutcome) => number): Row {
  const longestMs = Math.max(...outcomes.map(heldMs));
  const over = outcomes.filter((outcome) => heldMs(outcome) > HOSTILE_THREAD_BAR_MS).length;
  return row(outcomes, `longest hold of the ${who}'s main thread`, {
    measured: ms(longestMs),
    bar: ms(HOSTILE_THREAD_BAR_MS),
    isWithin: longestMs <= HOSTILE_THREAD_BAR_MS,
    detail: `${over} bodies over the bar; ${worst(outcomes, heldMs, ms)}`,
    figures: { longestMs, over },
  });
}

function countRow(outcomes: readonly HostileOutcome[], what: string, count: (outcome: HostileOutcome) => number): Row {
  const total = outcomes.reduce((sum, outcome) => sum + count(outcome), 0);
  return row(outcomes, what, {
    measured: grouped(total),
    bar: '0',
    isWithin: total === 0,
    detail: total === 0 ? '' : worst(outcomes, count, grouped),
    figures: { total },
  });
}

function lossOf(difference: string | null): Partial<Row> {
  return difference === null ? {} : { measured: 'some', isWithin: false, detail: difference, figures: { difference } };
}

const SHOWN = 5;

function worst(
  outcomes: readonly HostileOutcome[],
  of: (outcome: HostileOutcome) => number,
  print: (value: number) => string
): string {
  return [...outcomes]
    .sort((a, b) => of(b) - of(a))
    .slice(0, SHOWN)
    .filter((outcome) => of(outcome) > 0)
    .map((outcome) => `${outcome.name}: ${print(of(outcome))}`)
    .join('; ');
}

function row(outcomes: readonly HostileOutcome[], what: string, facts: Partial<Row>): Row {
  const empty = { against: '', measured: '', p95: '', bar: '', isWithin: null, detail: '', figures: {} };
  return { ...empty, what, size: `${outcomes.length} bodies`, ...facts };
}
