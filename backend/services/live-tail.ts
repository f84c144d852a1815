/**
 * Live tail: repeats a query for the time since its previous run (`tail-progress.ts`). Path: `tail/<anything>`, one per
 * query; data: the stored query of the panel. Each packet has a schema, because a later reader has not received the
 * first one.
 */
import { frameJson } from '../frames/encode/frame-json';
import type { Frame } from '../frames/frame';
import type { Instance } from '../instances/instance';
import { STREAM_STATUS, type StreamAnswer, type StreamPacket, type StreamRequest } from '../proto/messages';
import { parseQuery } from '../query/read-query';
import { runQuery } from '../query/run-query';
import type { CallSignal } from '../service-client/calls/call-signal';
import type { CallContext } from '../service-client/service-client';
import type { BackendContext } from './backend-context';
import { callContext, type GrpcCall } from './call-context';
import { renderFailure } from './render-failure';
import { TailProgress, type TailResult, type TailWindow } from './tail-progress';

const POLL_MS = 2_000;
const RETRY_MS = 5_000;
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
  const refId = refIdOf(request.data);
  const progress = new TailProgress(backend.now, refId);
  const leave = backend.metrics.streamStarted();
  try {
    while (!ctx.signal.aborted) {
      const window = progress.window();
      const outcome = await poll(backend, instance, { refId, data: request.data }, window, ctx);
      if (outcome.refusesBounds) {
        progress.omitBounds();
        continue;
      }
      const frame = outcome.frame ? progress.accept(outcome, window) : progress.fail(outcome.failure);
      if (frame !== null) await send(call, frame, ctx.signal);
      await rest(outcome.frame ? POLL_MS : RETRY_MS, ctx.signal);
    }
  } finally {
    leave();
  }
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

type Polled =
  | (TailResult & { readonly refusesBounds?: undefined })
  | { readonly frame?: undefined; readonly refusesBounds: boolean; readonly failure: string };

/** Failures are logged, shown and retried, so that a tail survives a restart of the service. */
async function poll(
  backend: BackendContext,
  instance: Instance,
  { refId, data }: { readonly refId: string; readonly data: Uint8Array },
  { fromMs, toMs, takesBounds }: TailWindow,
  ctx: CallContext
): Promise<Polled> {
  const outcome = await runQuery(
    instance,
    {
      refId,
      maxDataPoints: 0,
      intervalMs: 0,
      timeRange: { fromEpochMs: fromMs, toEpochMs: toMs },
      json: tailQuery(data, takesBounds ? fromMs : undefined),
      queryType: '',
    },
    { isAlert: false, isExpression: false, isTail: true },
    ctx
  );
  if (!('error' in outcome)) return outcome;
  const { userMessage, resource } = renderFailure(outcome.error, backend.logger, instance.scrub);
  return { failure: userMessage, refusesBounds: takesBounds && resource.code === 'parameter_unknown' };
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

/**
 * Name of the query in Explore, by which Grafana finds the query of a line: for its filters and the lines around it.
 *
 * @throws PluginError for data that is no query
 */
function refIdOf(data: Uint8Array): string {
  parseQuery(data);
  const { refId } = JSON.parse(Buffer.from(data).toString('utf8')) as { readonly refId?: unknown };
  return typeof refId === 'string' ? refId : '';
}

function isQuery(data: Uint8Array): boolean {
  try {
    parseQuery(data);
    return true;
  } catch {
    return false;
  }
}
