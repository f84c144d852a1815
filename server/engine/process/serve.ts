/**
 * The engine's end of the pipe: receives calls, passes them to their handlers, sends replies. The server handles the
 * terminal's signals, and the process ends with the pipe, so that no engine outlives its server. The process ends
 * itself only when its store is broken; the server then restarts it.
 */
import type { Duplex } from 'node:stream';
import { inspect } from 'node:util';
import { type ErrorBody, ServiceError } from '#contract/errors';
import { amend } from './calls/definitions/amend';
import { define } from './calls/definitions/define';
import { describe } from './calls/definitions/describe';
import { readers } from './calls/definitions/readers';
import { exportRows, listStored } from './calls/store/exports';
import { addSource, dropEvents, prepareSource } from './calls/store/other-sources';
import { sources } from './calls/store/sources';
import { fieldUse } from './calls/store/field-use';
import { misfits } from './calls/store/misfits';
import { stats } from './calls/store/stats';
import { ingest } from './calls/store/ingest';
import { openEngine } from './calls/open';
import { retention } from './calls/store/retention';
import { run } from './calls/run';
import { seal, sealing } from './calls/store/seal';
import { status, statusOf } from './calls/status';
import { validate } from './calls/definitions/validate';
import type { EngineContext } from './context';
import type { CallHandler, Engine, EngineCall, EngineReply } from './engine';
import { type FrameChannel, openFrameChannel } from '../protocol/frame-channel';
import type { Frame } from '../protocol/frames';
import type {
  EngineAnswer,
  EngineCallHeader,
  EngineCallKind,
  EngineCancel,
  EngineNotice,
  EngineOptions,
  RunStage,
} from '../protocol/messages';
import { RunningCall } from './running-call';
import { createStageNotices } from './stage-notices';
import { describeStoreFailure } from './store-failure';
import { sourceStack } from '../../common/source-stack';

type OpenCallKind = Exclude<EngineCallKind, 'open' | 'close'>;

const HANDLERS: { readonly [K in OpenCallKind]: CallHandler<K> } = {
  amend,
  define,
  run,
  validate,
  describe,
  ingest,
  retention,
  status,
  sources,
  addSource,
  prepareSource,
  dropEvents,
  readers,
  stats,
  misfits,
  fieldUse,
  listStored,
  exportRows,
  seal,
  sealing,
};

function callHandler<K extends OpenCallKind>(
  engine: Engine,
  { kind, request }: EngineCallHeader<K>,
  call: Omit<EngineCall<K>, 'request'>
): EngineReply<K> | Promise<EngineReply<K>> {
  return HANDLERS[kind](engine, { ...call, request });
}

/** How long the store may take to close when the server has died. */
const ORPHAN_CLOSE_MS = 2000;
const RSS_NOTICE_MS = 250;
const SERVER_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Serves calls until the pipe closes or `close` is called, then ends the process. */
export function serveEngine(pipe: Duplex, context: EngineContext): void {
  const server = new EngineServer(pipe, context);
  for (const signal of SERVER_SIGNALS) process.on(signal, () => undefined);
  if (process.platform !== 'linux')
    setInterval(() => server.notify({ notice: 'rss', bytes: process.memoryUsage.rss() }), RSS_NOTICE_MS).unref();
}

class EngineServer {
  private readonly channel: FrameChannel;
  private readonly running = new Map<number, RunningCall>();
  private readonly stages = createStageNotices((changes) => this.notify({ notice: 'stages', changes }));
  /** Null until `open`, and after the store was closed. */
  private engine: Engine | null = null;

  constructor(
    pipe: Duplex,
    private readonly context: EngineContext
  ) {
    this.channel = openFrameChannel(pipe, {
      onFrame: (frame) => this.onFrame(frame),
      onClose: () => void this.exit(),
    });
  }

  notify(notice: EngineNotice): void {
    void this.channel.send(notice);
  }

  private onFrame({ header, body }: Frame): void {
    const message = header as EngineCallHeader | EngineCancel;
    if (message.kind === 'cancel') this.cancel(message.id);
    else void this.answer(message, body);
  }

  private cancel(id: number): void {
    const call = this.running.get(id);
    if (!call) return;
    this.notify({ notice: 'cancelling', id });
    call.interrupt();
  }

  private async answer(header: EngineCallHeader, body: Uint8Array): Promise<void> {
    const { id, kind } = header;
    const call = new RunningCall(header);
    this.running.set(id, call);
    try {
      const reply = await this.handle(call, body);
      try {
        await this.send({ id, ok: true, value: reply.value }, reply.body);
      } finally {
        reply.onSent?.();
      }
    } catch (error) {
      await this.send({ id, ok: false, error: this.errorBody(call, error) });
    } finally {
      this.stages.end(id);
      call.end();
      this.running.delete(id);
    }
    if (kind === 'close') this.channel.close();
  }

  private async handle(call: RunningCall, body: Uint8Array): Promise<EngineReply<EngineCallKind>> {
    const { header } = call;
    if (header.kind === 'open') {
      this.engine = await this.open(header.request);
      return { value: await statusOf(this.engine) };
    }
    if (header.kind === 'close') {
      await this.closeStore();
      return { value: {} };
    }
    if (!this.engine) throw new ServiceError('backend_unavailable', 'The store is not open.');
    if (header.kind !== 'run') this.stages.flush();
    else if (header.isAlone) this.stages.arriveAlone(header.id);
    const onStage = (stage: RunStage): void => {
      call.enter(stage);
      this.stages.enter(header.id, stage);
    };
    const reply = callHandler(this.engine, header, { body, signal: call.signal, onStage });
    return this.engine.store.isRemote && header.kind !== 'run' ? this.replyInTime(call, reply) : reply;
  }

  /** At a close, what has begun ends first. */
  private replyInTime<T>({ signal }: RunningCall, reply: T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        if (this.engine !== null) reject(notInTime());
      };
      signal.addEventListener('abort', onAbort, { once: true });
      Promise.resolve(reply)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  private open(options: EngineOptions): Promise<Engine> {
    return openEngine(this.context, options, {
      onProblem: (message, problem) => this.notify({ notice: 'problem', message, stack: describeFailure(problem) }),
      onRefusedFields: (refused) => this.notify({ notice: 'refused_fields', refused }),
      onBroken: () => process.kill(process.pid, 'SIGKILL'),
    });
  }

  /**
   * Error of a failed call. An error that is not expected becomes `internal`. The server logs its stack, and the cause
   * of a `backend_error`: the caller gets neither.
   */
  private errorBody(call: RunningCall, error: unknown): ErrorBody {
    const cause = call.causeOf(error);
    const { id, kind } = call.header;
    if (cause instanceof ServiceError) {
      if (cause.code === 'backend_error' && cause.cause !== undefined)
        this.notify({ notice: 'store_failure', id, call: kind, cause: describeStoreFailure(cause.cause) });
      return cause.toBody();
    }
    this.notify({ notice: 'unexpected', id, call: kind, stack: describeFailure(error) });
    return new ServiceError('internal', 'Internal error.').toBody();
  }

  private async closeStore(): Promise<void> {
    const { engine } = this;
    this.engine = null;
    for (const call of this.running.values()) call.interrupt();
    await engine?.store.close();
  }

  /**
   * Called when the pipe has closed: after `close`, or because the server has died. The store keeps its data either
   * way.
   */
  private async exit(): Promise<never> {
    const forced = setTimeout(() => process.kill(process.pid, 'SIGKILL'), ORPHAN_CLOSE_MS);
    await this.closeStore().catch(() => undefined);
    clearTimeout(forced);
    process.exit(0);
  }

  private send(message: EngineAnswer, body?: Uint8Array): Promise<void> {
    return this.channel.send(message, body);
  }
}

function notInTime(): ServiceError {
  return new ServiceError('backend_unavailable', 'The store did not answer in time.', {
    reason: 'unreachable',
    retry_after_seconds: 2,
  });
}

function describeFailure(error: unknown): string {
  if (error === undefined) return '';
  if (error instanceof Error) return stackOf(error);
  return typeof error === 'string' ? error : inspect(error);
}

function stackOf(error: Error): string {
  const own = sourceStack(error.stack ?? error.message);
  return error.cause instanceof Error ? `${own}\ncaused by: ${stackOf(error.cause)}` : own;
}
