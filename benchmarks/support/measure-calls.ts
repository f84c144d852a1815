/** Processor and wall time of calls that are made one after the other. */
import { summarize, type Timing } from './statistics';

export interface MeasuredCalls {
  /** Processor time of one call. */
  readonly processorMs: number;
  readonly timing: Timing;
}

export interface MeasureOptions {
  /** Processor time so far of the processes that answer, in seconds. */
  readonly used: () => number;
  /** Calls are made until they have taken this time: the system counts in hundredths of a second. */
  readonly processorSeconds: number;
  /** How many calls differ; undefined: as many as are wanted, all alike. */
  readonly calls?: number | undefined;
}

/** Until V8 has compiled what runs often, a call takes up to twice as much. */
const WARM_UP_CALLS = 100;
const MAX_CALLS = 300;

/** @param ask makes the nth call, from 0, and returns its duration in milliseconds */
export async function measureCalls(
  ask: (n: number) => Promise<number>,
  { used, processorSeconds, calls }: MeasureOptions
): Promise<MeasuredCalls> {
  // Calls that differ are few, and none of them is warm.
  if (calls === undefined) for (let n = 0; n < WARM_UP_CALLS; n++) await ask(n);
  const durationsMs: number[] = [];
  const before = used();
  while (used() - before < processorSeconds && durationsMs.length < (calls ?? MAX_CALLS)) {
    durationsMs.push(await ask(durationsMs.length));
  }
  return { processorMs: ((used() - before) * 1000) / durationsMs.length, timing: summarize(durationsMs) };
}
