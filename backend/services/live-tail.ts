/**
 * Live tail: repeats a query for the time since its previous run. Path: `tail/<anything>`, one per query; data: the
 * stored query of the panel. The window overlaps the previous one, because events arrive late; events already sent are
 * filtered by id. Times are those of the service, by the `Date` of its responses. Each packet has a schema, because a later reader has not received the first one.
 */
import { frameJson } from '../frames/encode/frame-json';
import { TAIL_FAILURE_FIELD, TAIL_GAP_FIELD } from '#contract/plugin/plugin';
import { dataOf, emptyData, takeRows, valueAt } from '../frames/column-data';
import type { Frame, FrameField } from '../frames/frame';
import type { Instance } from '../instances/instance';
import { STREAM_STATUS, type StreamAnswer, type StreamPacket, type StreamRequest } from '../proto/messages';
import { parseQuery } from '../query/read-query';
import { runQuery } from '../query/run-query';
import type { CallSignal } from '../service-client/calls/call-signal';
import type { CallContext } from '../service-client/service-client';
import type { BackendContext } from './backend-context';
import { callContext, type GrpcCall } from './call-context';
import { renderFailure } from './render-failure';

const POLL_MS = 2_000;
const RETRY_MS = 5_000;
/** Maximum delay with which an event can arrive and still be shown. */
const OVERLAP_MS = 10_000;
/** Dates of responses have whole seconds. */
const DATE_MS = 1_000;
const MAX_REMEMBERED = 20_000;
const PATH = /^tail\/[A-Za-z0-9_=.-]{1,120}$/;

export interface StreamCall extends GrpcCall {
  /** @param sent is called when the packet has left the process; never, if the tail ends before */
  write(packet: StreamPacket, sent: () => void): boolean;
  end(): void;
}

export async function subscribeStream(_backend: BackendContext, { path, data }: StreamRequest): Promise<StreamAnswer> {
  const isKnown = PATH.test(path);
  return { status: isKnown && isQuery(data) ? STREAM_STATUS.ok : STREAM_STATUS.notFound, data: Buffer.alloc(0) };
}

export async function publishStream(): Promise<StreamAnswer> {
  return { status: STREAM_STATUS.permissionDenied, data: Buffer.alloc(0) };
}

/** Ends when Grafana cancels it after the last reader has left. */
export async function runStream(backend: BackendContext, request: StreamRequest, call: StreamCall): Promise<void> {
  const instance = backend.instances.get(request.pluginContext);
  const ctx = callContext(call, instance, request.headers);
  const seen = createMemory(MAX_REMEMBERED);
  const leave = backend.metrics.streamStarted();
  /** By how much the clock of the service is ahead. */
  let aheadMs = 0;
  let fromMs = backend.now() - OVERLAP_MS;
  let isAnnounced = false;
  let takesBounds = true;
  let last: Frame | undefined;
  /** Rows of the first cut result without a row that was sent before; rows before the start of the tail do not count. */
  let rowsBeforeGap: number | undefined;
  try {
    while (!ctx.signal.aborted) {
      const nowMs = backend.now() + aheadMs;
      const outcome = await poll(backend, instance, request.data, { fromMs, toMs: nowMs, takesBounds }, ctx);
      if (outcome.refusesBounds) {
        takesBounds = false;
        continue;
      }
      if (outcome.frame) {
        const serviceMs = outcome.dateMs ?? nowMs;
        if (outcome.dateMs !== undefined) aheadMs = clockDistance(outcome.dateMs, backend.now());
        const isFirst = last === undefined;
        last = withoutSeen(outcome.frame, seen);
        if (!isFirst && outcome.isCut && last.length === outcome.frame.length) rowsBeforeGap ??= last.length;
        if (rowsBeforeGap !== undefined) last = withGap(last, rowsBeforeGap);
        if (!isAnnounced || last.length > 0) await send(call, last, ctx.signal);
        // The first window may be long before the present of the service.
        fromMs = (isFirst ? serviceMs : Math.min(nowMs, serviceMs)) - OVERLAP_MS;
      } else if (!ctx.signal.aborted) {
        await send(call, failureFrame(last, outcome.failure), ctx.signal);
      }
      isAnnounced = outcome.frame !== undefined;
      await rest(isAnnounced ? POLL_MS : RETRY_MS, ctx.signal);
    }
  } finally {
    leave();
  }
}

/** Zero for clocks that agree as far as whole seconds tell, so that new lines are not delayed. */
function clockDistance(dateMs: number, nowMs: number): number {
  if (nowMs >= dateMs && nowMs < dateMs + 2 * DATE_MS) return 0;
  return dateMs + DATE_MS - nowMs;
}

/** Waits until the host has taken the packet: one that stands still gets no more of them, whose memory has no limit. */
function send(call: StreamCall, frame: Frame, signal: CallSignal): Promise<void> {
  return untilAbort(signal, (done) => call.write({ data: Buffer.from(frameJson(frame)) }, done));
}

/** Resolves when the time has passed or the tail ends. */
async function rest(durationMs: number, signal: CallSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await untilAbort(signal, (done) => (timer = setTimeout(done, durationMs)));
  clearTimeout(timer);
}

/** Resolves when what is started is done, or at once when the tail ends. */
function untilAbort(signal: CallSignal, start: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    start(end);
  });
}

interface Poll {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the time is a parameter, too. */
  readonly takesBounds: boolean;
}

type Polled =
  | {
      readonly frame: Frame;
      readonly isCut: boolean;
      readonly dateMs: number | undefined;
      readonly refusesBounds?: undefined;
    }
  | { readonly frame?: undefined; readonly refusesBounds: boolean; readonly failure: string };

/** Failures are logged, shown and retried, so that a tail survives a restart of the service. */
async function poll(
  backend: BackendContext,
  instance: Instance,
  data: Uint8Array,
  { fromMs, toMs, takesBounds }: Poll,
  ctx: CallContext
): Promise<Polled> {
  const outcome = await runQuery(
    instance,
    {
      refId: 'tail',
      maxDataPoints: 0,
      intervalMs: 0,
      timeRange: { fromEpochMs: fromMs, toEpochMs: toMs },
      json: tailQuery(data, takesBounds ? fromMs : undefined),
      queryType: '',
    },
    { isAlert: false, isExpression: false },
    ctx
  );
  if (!('error' in outcome)) return outcome;
  const { userMessage, resource } = renderFailure(outcome.error, backend.logger, instance.scrub);
  return { failure: userMessage, refusesBounds: takesBounds && resource.code === 'parameter_unknown' };
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
 * The frame that was sent last, without rows, with one more field: the host hands on the notices of a stream only when its fields are others.
 */
function failureFrame(last: Frame | undefined, text: string): Frame {
  const before = last?.fields.map((field) => takeRows(field, [])) ?? [];
  return {
    name: last?.name ?? '',
    refId: last?.refId ?? 'tail',
    meta: { ...last?.meta, notices: [{ severity: 'error', text }] },
    fields: [...before, markField(TAIL_FAILURE_FIELD, emptyData('string'))],
    length: 0,
  };
}

/**
 * Adds a lower time bound for endpoints that declare it. Most others ignore the parameter; some refuse it.
 *
 * @param fromMs undefined: no bound
 */
function tailQuery(data: Uint8Array, fromMs: number | undefined): Uint8Array {
  const query = parseQuery(data);
  const bounds =
    fromMs === undefined ? {} : { iso_timestamp_start: new Date(fromMs).toISOString(), iso_timestamp_end: '' };
  return Buffer.from(JSON.stringify({ ...query, params: { ...query.params, ...bounds }, format: 'logs' }));
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

function isQuery(data: Uint8Array): boolean {
  try {
    parseQuery(data);
    return true;
  } catch {
    return false;
  }
}
