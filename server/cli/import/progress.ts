/**
 * Progress on the terminal: a bar on a TTY, otherwise a plain line from time to time. Always on standard error:
 * standard output is for results.
 */
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** Updates the progress. `done` is in the unit of the total; `events` were stored so far. */
  update(done: number, events: number): void;
  /** Prints a line without breaking the bar. */
  note(text: string): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly label: string;
  /** Null: unknown, so there is no bar and no remaining time. */
  readonly total: number | null;
  /** @default process.stderr */
  readonly stream?: NodeJS.WriteStream;
  /** Time between two plain lines. @default 2000 */
  readonly intervalMs?: number;
}

export function createProgress(options: ProgressOptions): Progress {
  const stream = options.stream ?? process.stderr;
  return stream.isTTY && options.total !== null ? bar(options, options.total, stream) : lines(options, stream);
}

function bar({ label }: ProgressOptions, total: number, stream: NodeJS.WriteStream): Progress {
  const shown = new SingleBar(
    {
      format: `${label} {bar} {percentage}% | {events} events | {rate}/s | {left} left`,
      stream,
      hideCursor: true,
      clearOnComplete: false,
      fps: 10,
    },
    Presets.shades_classic
  );
  const started = Date.now();
  shown.start(Math.max(total, 1), 0, { events: '0', rate: '-', left: '-' });
  return {
    update: (done, events) => shown.update(Math.min(done, total), pace(started, done, total, events)),
    note: (text) => {
      stream.write(`\r\u001b[K${text}\n`);
      shown.render();
    },
    stop: () => shown.stop(),
  };
}

function lines({ label, total, intervalMs = 2000 }: ProgressOptions, stream: NodeJS.WriteStream): Progress {
  const started = Date.now();
  let saidAt = started;
  return {
    update: (done, events) => {
      if (Date.now() - saidAt < intervalMs) return;
      saidAt = Date.now();
      const shown = pace(started, done, total, events);
      const share = total === null ? '' : ` ${Math.floor((100 * done) / Math.max(total, 1))}%,`;
      const left = total === null ? '' : `, ${shown.left} left`;
      stream.write(`${label}:${share} ${shown.events} events, ${shown.rate}/s${left}\n`);
    },
    note: (text) => stream.write(`${text}\n`),
    stop: () => undefined,
  };
}

function pace(
  started: number,
  done: number,
  total: number | null,
  events: number
): { events: string; rate: string; left: string } {
  const seconds = Math.max((Date.now() - started) / 1000, 0.001);
  const left = total === null || done === 0 ? 0 : (seconds * (total - done)) / done;
  return {
    events: events.toLocaleString('en-US'),
    rate: Math.round(events / seconds).toLocaleString('en-US'),
    left: duration(left),
  };
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`;
}
