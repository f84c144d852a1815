/** Turns the messages of one listener into entries of its source, within turns of the event loop. */
import type { Source } from '#contract/events/source';
import { Fifo } from '../../../common/scheduling/fifo';
import { decodeMessage, parseMessage } from '../parse/parse-message';
import type { TimeZone } from '../parse/time-zone';
import type { ListenerMetrics } from '../listener-metrics';
import type { StoreQueue } from './store-queue';
import type { RoundRobin } from '../../../common/scheduling/round-robin';
import { writeMessage } from './write-message';

export interface IntakeOptions {
  /** Whose work it is. */
  readonly owner: string;
  readonly source: () => Source;
  readonly zone: TimeZone;
  readonly queue: StoreQueue;
  readonly turns: RoundRobin;
  readonly metrics: ListenerMetrics;
  readonly nowMs: () => number;
}

/** Work on the bytes of one sender. It yields messages. */
export type Work = Iterator<SentMessage, void>;

export interface SentMessage {
  readonly bytes: Buffer;
  readonly sender: string;
  readonly isCut: boolean;
}

/** Longest time of a turn, as far as single messages allow. */
const TURN_MS = 4;
/** Messages of one sender, after which it is the turn of the next one: 64 KiB may be 16,000 messages. */
const MESSAGES_IN_A_ROW = 100;

export class Intake {
  private readonly works = new Fifo<Work>();
  /** The work whose turn it is. */
  private current: Work | null = null;
  /** A message of that work was read, and waits for room in the queue. */
  private isBlocked = false;
  private isGivenUp = false;
  private running: Promise<void> | null = null;
  private turnEndsMs = 0;

  constructor(private readonly options: IntakeOptions) {}

  get isIdle(): boolean {
    return this.running === null;
  }

  /** Works begin in the order of the calls, and take turns. */
  add(work: Work): void {
    this.works.push(work);
    this.running ??= this.run();
  }

  /** Resolves when all works are done. */
  async finished(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  /** Queues nothing more. @returns the number of messages that are not in the queue */
  giveUp(): number {
    this.isGivenUp = true;
    let count = this.isBlocked ? 1 : 0;
    for (let work = this.current ?? this.works.shift(); work !== undefined; work = this.works.shift())
      while (!work.next().done) count++;
    return count;
  }

  private async run(): Promise<void> {
    await this.startTurn();
    for (let work = this.works.shift(); work !== undefined; work = this.works.shift()) {
      this.current = work;
      const hasMore = await this.take(work);
      this.current = null;
      if (hasMore) this.works.push(work);
      if (performance.now() >= this.turnEndsMs) await this.startTurn();
    }
    this.running = null;
  }

  /** @returns whether the work may have further messages */
  private async take(work: Work): Promise<boolean> {
    for (let count = 0; count < MESSAGES_IN_A_ROW; count++) {
      const step = work.next();
      if (step.done) return false;
      if (!(await this.enqueue(this.read(step.value)))) return false;
      if (performance.now() >= this.turnEndsMs) await this.startTurn();
    }
    return true;
  }

  /** @returns false when the message is given up */
  private async enqueue(line: Buffer): Promise<boolean> {
    const { queue } = this.options;
    while (!queue.tryAdd(line)) {
      this.isBlocked = true;
      await queue.room();
      this.isBlocked = false;
      if (this.isGivenUp) return false;
    }
    return true;
  }

  private async startTurn(): Promise<void> {
    await this.options.turns.next(this.options.owner);
    this.turnEndsMs = performance.now() + TURN_MS;
  }

  private read({ bytes, sender, isCut }: SentMessage): Buffer {
    const { metrics, source, zone, nowMs: now } = this.options;
    const nowMs = now();
    const { text, isIntact } = decodeMessage(isCut ? withoutPartOfCharacter(bytes) : bytes);
    const message = parseMessage(text, { nowMs, zone });
    metrics.noteMessage(message.form, bytes.length);
    if (isCut) metrics.noteCut();
    if (!isIntact) metrics.noteBrokenText();
    return writeMessage(source(), message, { nowMs, sender });
  }
}

/** Removes the beginning of a character of UTF-8 at the end, where a message was cut. */
export function withoutPartOfCharacter(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start >= 0 && start > bytes.length - 4 && (bytes[start]! & 0xc0) === 0x80) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start >= 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}
