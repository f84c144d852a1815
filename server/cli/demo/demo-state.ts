/** State of the demo in a file, so that an interrupted demo can continue. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { MinuteWindow } from './fill-plan';

const stateSchema = z.object({
  seed: z.int(),
  /** Time windows that are filled in order, with the number of pieces of their plans that the service has stored. */
  fills: z.array(z.object({ fromMinute: z.int(), toMinute: z.int(), piecesDone: z.int() })),
  /** All live events before this minute are stored. */
  liveMinute: z.int(),
});

export type DemoState = z.infer<typeof stateSchema>;

const MINUTES_OF_DAY = 24 * 60;

/**
 * The state to continue from: a gap since the last run is filled like the time before the first run.
 * @param days maximum days before now that are filled
 */
export function nextState(
  kept: DemoState | undefined,
  { nowMinute, days, seed }: { nowMinute: number; days: number; seed: number }
): DemoState {
  const earliest = nowMinute - Math.round(days * MINUTES_OF_DAY);
  if (!kept || kept.liveMinute > nowMinute)
    return { seed, fills: [newFill({ fromMinute: earliest, toMinute: nowMinute })], liveMinute: nowMinute };
  const gap = { fromMinute: Math.max(kept.liveMinute, earliest), toMinute: nowMinute };
  const isGap = gap.toMinute - gap.fromMinute > 0;
  return { ...kept, fills: [...(isGap ? [newFill(gap)] : []), ...kept.fills], liveMinute: nowMinute };
}

function newFill(window: MinuteWindow): DemoState['fills'][number] {
  return { ...window, piecesDone: 0 };
}

/** @returns undefined when there is no state, or one of another version. */
export function readDemoState(folder: string): DemoState | undefined {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(statePath(folder), 'utf8')));
  } catch {
    return undefined;
  }
}

export function writeDemoState(folder: string, state: DemoState): void {
  const path = statePath(folder);
  writeFileSync(`${path}.new`, `${JSON.stringify(state)}\n`);
  renameSync(`${path}.new`, path);
}

function statePath(folder: string): string {
  return join(folder, 'demo-events.json');
}
