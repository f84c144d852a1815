/**
 * State of a live tail between two polls. A window of time overlaps the previous one, because events arrive late;
 * events already sent are filtered by id. Times are those of the service, by the `Date` of its responses.
 */
import { TAIL_FAILURE_FIELD, TAIL_GAP_FIELD } from '#contract/plugin/plugin';
import { dataOf, emptyData, takeRows, valueAt } from '../frames/column-data';
import type { Frame, FrameField } from '../frames/frame';

/** Maximum delay with which an event can arrive and still be shown. */
const OVERLAP_MS = 10_000;
/** Dates of responses have whole seconds. */
const DATE_MS = 1_000;
const MAX_REMEMBERED = 20_000;

export interface TailWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the time is a parameter, too. */
  readonly takesBounds: boolean;
}

export interface TailResult {
  readonly frame: Frame;
  readonly isCut: boolean;
  readonly dateMs: number | undefined;
}

export class TailProgress {
  private readonly seen = createMemory(MAX_REMEMBERED);
  /** By how much the clock of the service is ahead. */
  private aheadMs = 0;
  private fromMs: number;
  private takesBounds = true;
  /** Whether the reader knows that the tail runs. */
  private isAnnounced = false;
  private last: Frame | undefined;
  /**
   * Rows of the first cut result without a row that was sent before; rows before the start of the tail do not count.
   */
  private rowsBeforeGap: number | undefined;

  /** @param refId of the query */
  constructor(
    private readonly now: () => number,
    private readonly refId: string
  ) {
    this.fromMs = now() - OVERLAP_MS;
  }

  window(): TailWindow {
    return { fromMs: this.fromMs, toMs: this.now() + this.aheadMs, takesBounds: this.takesBounds };
  }

  /** The endpoint refuses parameters that it does not declare. */
  omitBounds(): void {
    this.takesBounds = false;
  }

  /** @returns the frame to send; null without new events, when the reader knows that the tail runs */
  accept({ frame, isCut, dateMs }: TailResult, { toMs }: TailWindow): Frame | null {
    const serviceMs = dateMs ?? toMs;
    if (dateMs !== undefined) this.aheadMs = clockDistance(dateMs, this.now());
    const isFirst = this.last === undefined;
    const fresh = withoutSeen(frame, this.seen);
    if (!isFirst && isCut && fresh.length === frame.length) this.rowsBeforeGap ??= fresh.length;
    this.last = this.rowsBeforeGap === undefined ? fresh : withGap(fresh, this.rowsBeforeGap);
    // The first window may be long before the present of the service.
    this.fromMs = (isFirst ? serviceMs : Math.min(toMs, serviceMs)) - OVERLAP_MS;
    const isSent = !this.isAnnounced || fresh.length > 0;
    this.isAnnounced = true;
    return isSent ? this.last : null;
  }

  /** @returns the frame that tells the reader of a failure */
  fail(text: string): Frame {
    this.isAnnounced = false;
    return failureFrame(this.last, this.refId, text);
  }
}

/** Zero for clocks that agree as far as whole seconds tell, so that new lines are not delayed. */
function clockDistance(dateMs: number, nowMs: number): number {
  if (nowMs >= dateMs && nowMs < dateMs + 2 * DATE_MS) return 0;
  return dateMs + DATE_MS - nowMs;
}

/** The frame with a notice and, so that the host hands it on, one more field. It stays: the lines remain incomplete. */
function withGap(frame: Frame, rows: number): Frame {
  const notice = {
    severity: 'warning',
    text: `${rows} new lines came at once, as many as the query or the service allows: older ones may be missing.`,
  } as const;
  const none = Array.from({ length: frame.length }, () => null);
  return {
    ...frame,
    meta: { ...frame.meta, notices: [notice, ...(frame.meta?.notices ?? [])] },
    fields: [...frame.fields, markField(TAIL_GAP_FIELD, dataOf('string', none))],
  };
}

function markField(name: string, data: FrameField['data']): FrameField {
  return { name, kind: 'string', data, config: { custom: { hidden: true } } };
}

/**
 * The frame that was sent last, without rows, with one more field: the host hands on the notices of a stream only when
 * its fields are others.
 */
function failureFrame(last: Frame | undefined, refId: string, text: string): Frame {
  const before = last?.fields.map((field) => takeRows(field, [])) ?? [];
  return {
    name: last?.name ?? '',
    refId,
    meta: { ...last?.meta, notices: [{ severity: 'error', text }] },
    fields: [...before, markField(TAIL_FAILURE_FIELD, emptyData('string'))],
    length: 0,
  };
}

/** Removes events already sent and orders the others oldest first, as a tail is read. */
function withoutSeen(frame: Frame, seen: Memory): Frame {
  const id = frame.fields.find(({ name }) => name === 'id');
  if (!id) return frame;
  const get = valueAt(id);
  const rows: number[] = [];
  const counts = new Map<string, number>();
  for (let row = frame.length - 1; row >= 0; row--) {
    const key = String(get(row));
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (seen.isNew(key, count)) rows.push(row);
  }
  return { ...frame, fields: frame.fields.map((field) => takeRows(field, rows)), length: rows.length };
}

interface Memory {
  /** @param count of lines with this id in the result so far: lines without an id of their own may be equal */
  isNew(id: string, count: number): boolean;
}

function createMemory(size: number): Memory {
  const ids = new Map<string, number>();
  return {
    isNew: (id, count) => {
      if ((ids.get(id) ?? 0) >= count) return false;
      ids.set(id, count);
      const oldest = ids.keys().next().value;
      if (ids.size > size && oldest !== undefined) ids.delete(oldest);
      return true;
    },
  };
}
