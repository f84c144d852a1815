/**
 * The engine's end of the pipe: receives calls, passes them to their handlers, sends replies. The server handles the
 * terminal's signals, and the process ends with the pipe, so that no engine outlives its server. The process ends
 * itself only when its store is broken; the server then restarts it.
 */
import type { Duplex } from 'node:stream';
import { ServiceError } from '#contract/errors';
import { define } from './calls/define';
import { describe } from './calls/describe';
import { figures } from './calls/figures';
import { ingest } from './calls/ingest';
import { openEngine } from './calls/open';
import { retention } from './calls/retention';
import { run } from './calls/run';
import { status, statusOf } from './calls/status';
import { validate } from './calls/validate';
import type { EngineContext } from './context';
import type { CallHandler, Engine, EngineReply } from './engine';
import { openFrameChannel } from './frame-channel';
import type { Frame } from './frames';
import type {
  EngineAnswer,
  EngineCallHeader,
  EngineCallKind,
  EngineCancel,
  EngineNotice,
  EngineOptions,
} from './messages';
import { queryTimeout, queueTimeout } from './timeouts';

type OpenCallKind = Exclude<EngineCallKind, 'open' | 'close'>;

const HANDLERS: { readonly [K in OpenCallKind]: CallHandler<K> } = {
  define,
  run,
  validate,
  describe,
  ingest,
  retention,
  status,
  figures,
};

/** How long the store may take to close when the server has died. */
const ORPHAN_CLOSE_MS = 2000;
const RSS_NOTICE_MS = 250;
const SERVER_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface RunningCall {
  readonly abort: AbortController;
  readonly timeoutMs: number;
  stage: 'queue' | 'plan' | 'db' | 'encode';
}

/** Serves calls until the pipe closes or `close` is called, then ends the process. */
export function serveEngine(pipe: Duplex, context: EngineContext): void {
  const running = new Map<number, RunningCall>();
  let engine: Engine | null = null;
  const channel = openFrameChannel(pipe, { onFrame: receive, onClose: () => void endAlone() });

  for (const signal of SERVER_SIGNALS) process.on(signal, () => undefined);
  if (process.platform !== 'linux')
    setInterval(() => notify({ notice: 'rss', bytes: process.memoryUsage.rss() }), RSS_NOTICE_MS).unref();

  function receive({ header, body }: Frame): void {
    const message = header as EngineCallHeader | EngineCancel;
    if (message.kind === 'cancel') cancel(message.id);
    else void answer(message, body);
  }

  function cancel(id: number): void {
    const call = running.get(id);
    if (!call) return;
    notify({ notice: 'cancelling', id });
    call.abort.abort(timeoutOf(call));
  }

  async function answer(header: EngineCallHeader, body: Uint8Array): Promise<void> {
    const { id, timeoutMs } = header;
    const call: RunningCall = { abort: new AbortController(), timeoutMs: timeoutMs ?? 0, stage: 'queue' };
    running.set(id, call);
    const timer = timeoutMs === null ? undefined : setTimeout(() => call.abort.abort(timeoutOf(call)), timeoutMs);
    try {
      const reply = await handle(header, body, call);
      try {
        await send({ id, ok: true, value: reply.value }, reply.body);
      } finally {
        reply.onSent?.();
      }
    } catch (error) {
      await send({ id, ok: false, error: errorBody(header, call, error) });
    } finally {
      clearTimeout(timer);
      running.delete(id);
    }
    if (header.kind === 'close') channel.close();
  }

  async function handle(
    header: EngineCallHeader,
    body: Uint8Array,
    call: RunningCall
  ): Promise<EngineReply<EngineCallKind>> {
    if (header.kind === 'open') {
      engine = await openEngine(context, header.request as EngineOptions, {
        onProblem: (message, problem) => notify({ notice: 'problem', message, stack: describeFailure(problem) }),
        onBroken: () => process.kill(process.pid, 'SIGKILL'),
      });
      return { value: await statusOf(engine) };
    }
    if (header.kind === 'close') {
      await closeStore();
      return { value: {} };
    }
    if (!engine) throw new ServiceError('backend_unavailable', 'The store is not open.');
    const handler = HANDLERS[header.kind] as CallHandler<EngineCallKind>;
    const onStage = (stage: 'plan' | 'db' | 'encode'): void => {
      call.stage = stage;
      notify({ notice: 'stage', id: header.id, stage });
    };
    return handler(engine, { request: header.request as never, body, signal: call.abort.signal, onStage });
  }

  /**
   * Error of a failed call. After an abort it is the reason of the abort, because the store's error is only a
   * consequence.
   */
  function errorBody(header: EngineCallHeader, call: RunningCall, error: unknown) {
    const isAborted = call.abort.signal.aborted && header.kind === 'run';
    const cause = isAborted ? (call.abort.signal.reason as unknown) : error;
    if (cause instanceof ServiceError) return cause.toBody();
    notify({ notice: 'unexpected', id: header.id, call: header.kind, stack: describeFailure(error) });
    return new ServiceError('internal', 'Internal error.').toBody();
  }

  async function closeStore(): Promise<void> {
    const open = engine;
    engine = null;
    for (const call of running.values()) call.abort.abort(timeoutOf(call));
    await open?.store.close();
  }

  /**
   * Called when the pipe has closed: after `close`, or because the server has died. The store keeps its data either
   * way.
   */
  async function endAlone(): Promise<never> {
    const forced = setTimeout(() => process.kill(process.pid, 'SIGKILL'), ORPHAN_CLOSE_MS);
    await closeStore().catch(() => undefined);
    clearTimeout(forced);
    process.exit(0);
  }

  function send(message: EngineAnswer, body?: Uint8Array): Promise<void> {
    return channel.send(message, body);
  }

  function notify(notice: EngineNotice): void {
    void channel.send(notice);
  }
}

function timeoutOf(call: RunningCall): ServiceError {
  return call.stage === 'queue' ? queueTimeout() : queryTimeout(call.timeoutMs);
}

function describeFailure(error: unknown): string {
  if (error === undefined) return '';
  return error instanceof Error ? stackOf(error) : String(error);
}

function stackOf(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by: ${stackOf(error.cause)}` : own;
}
