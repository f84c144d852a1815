/**
 * Keeps a service filled with sample events: first those before now, then every event at its time. The fill takes a
 * bounded time before the live events begin; the rest of it runs in parallel to them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LANES, type LiveEvent, minuteEvents } from '../sample-data/live-traffic';
import { createProgress } from '../import/progress';
import { type DemoState, nextState, readDemoState, writeDemoState } from './demo-state';
import { createEventSender, type EventSender } from './event-sender';
import { type FillPiece, fillPlan } from './fill-plan';

export interface DemoOptions {
  readonly url: string;
  readonly token: string;
  /** Folder of the state file. */
  readonly folder: string;
  /** Days before now that are filled. */
  readonly days: number;
  readonly seed: number;
  /** Maximum time of the fill before the live events begin. */
  readonly fillMs: number;
  /** Stops the demo; events that were sent are stored and recorded. */
  readonly signal: AbortSignal;
  /** Called when the live events begin. */
  readonly onLive: (facts: { readonly stored: number; readonly isFillComplete: boolean }) => void;
  /** Called with a sentence for the terminal. */
  readonly onNote: (text: string) => void;
}

const TICK_MS = 1000;
const MINUTE_MICROS = 60_000_000;
/** Maximum minutes per step after the service was unavailable for long. */
const MAX_MINUTES_AT_ONCE = 30;
const GROUP_EVENTS = 6000;
const NOTE_EVERY_MS = 10_000;

/** Resolves when the demo was stopped. @throws ImportError when the service refuses the events */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { folder, signal } = options;
  const nowMinute = Math.floor(Date.now() / 60_000);
  const demo: Demo = {
    ...options,
    state: nextState(readDemoState(folder), { ...options, nowMinute }),
    sender: createEventSender({ ...options, onWait: throttled(options.onNote) }),
  };
  writeDemoState(folder, demo.state);
  try {
    const stored = await fillFirst(demo);
    options.onLive({ stored, isFillComplete: demo.state.fills.length === 0 });
    await Promise.all([sendLive(demo), fillOn(demo)]);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

interface Demo extends DemoOptions {
  state: DemoState;
  readonly sender: EventSender;
}

async function fillFirst(demo: Demo): Promise<number> {
  const until = Date.now() + demo.fillMs;
  const total = demo.state.fills.reduce((sum, fill) => sum + fillPlan(fill).length - fill.piecesDone, 0);
  const progress = createProgress({ label: 'Filling the time before now', total });
  try {
    let stored = 0;
    let done = 0;
    while (demo.state.fills.length > 0 && Date.now() < until) {
      const group = await fillGroup(demo);
      stored += group.stored;
      done += group.pieces;
      progress.update(done, stored);
    }
    return stored;
  } finally {
    progress.stop();
  }
}

/** Uses half of the time in parallel to the live events, so that queries have the other half. */
async function fillOn(demo: Demo): Promise<void> {
  if (demo.state.fills.length === 0) return;
  while (demo.state.fills.length > 0) {
    const startedAt = Date.now();
    await fillGroup(demo);
    await sleep(Date.now() - startedAt, undefined, { signal: demo.signal });
  }
  demo.onNote('The time before now is complete.');
}

/** Sends the next pieces of the first fill. */
async function fillGroup(demo: Demo): Promise<{ readonly stored: number; readonly pieces: number }> {
  const [fill, ...later] = demo.state.fills;
  if (!fill) return { stored: 0, pieces: 0 };
  const plan = fillPlan(fill);
  const events: LiveEvent[] = [];
  let next = fill.piecesDone;
  for (; next < plan.length && events.length < GROUP_EVENTS; next++) {
    events.push(...pieceEvents(plan[next]!, demo.state.seed));
    // A turn for the live events and the signal.
    await sleep(0, undefined, { signal: demo.signal });
  }
  const stored = await demo.sender.send(events);
  const rest = next < plan.length ? [{ ...fill, piecesDone: next }] : [];
  remember(demo, { fills: [...rest, ...later] });
  return { stored, pieces: next - fill.piecesDone };
}

function pieceEvents({ fromMinute, toMinute, lane }: FillPiece, seed: number): LiveEvent[] {
  return Array.from({ length: toMinute - fromMinute }, (_, at) => minuteEvents(fromMinute + at, lane, seed)).flat();
}

/** Sends every event within a second of its time; after an outage of the service, the missed events follow. */
async function sendLive(demo: Demo): Promise<void> {
  let nextMinute = demo.state.liveMinute;
  let waiting: LiveEvent[] = [];
  for (;;) {
    const nowMicros = Date.now() * 1000;
    const lastMinute = Math.min(Math.floor(nowMicros / MINUTE_MICROS), nextMinute + MAX_MINUTES_AT_ONCE);
    for (; nextMinute <= lastMinute; nextMinute++)
      for (let lane = 0; lane < LANES; lane++) waiting.push(...minuteEvents(nextMinute, lane, demo.state.seed));
    const due = waiting.filter(({ micros }) => micros <= nowMicros);
    if (due.length > 0) await demo.sender.send(due);
    waiting = waiting.filter(({ micros }) => micros > nowMicros);
    // A request that began a minute before may still produce lines.
    const liveMinute = Math.min(nextMinute - 1, ...waiting.map(({ minute }) => minute));
    if (liveMinute > demo.state.liveMinute) remember(demo, { liveMinute });
    await sleep(TICK_MS, undefined, { signal: demo.signal });
  }
}

function remember(demo: Demo, change: Partial<DemoState>): void {
  demo.state = { ...demo.state, ...change };
  writeDemoState(demo.folder, demo.state);
}

/** Limits notes to one in ten seconds. */
function throttled(note: (text: string) => void): (reason: string) => void {
  let notedAt = -Infinity;
  return (reason) => {
    if (Date.now() - notedAt < NOTE_EVERY_MS) return;
    notedAt = Date.now();
    note(`Waiting for the service: ${reason}.`);
  };
}
