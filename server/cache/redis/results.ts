/** Results in Redis, sealed for the servers that have the same key. */
import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import type { QueryResult } from '#contract/queries/result';
import type { Clock } from '../../common/clock';
import type { EntryTarget } from '../cached-result';
import { elapsedMs } from '../instant';
import type { Run } from '../run';
import type {
  LookupOutcome,
  SharedEvent,
  SharedFinding,
  SharedRenewal,
  SharedResults,
  SharedSlot,
  WriteOutcome,
} from '../shared-results';
import type { RedisClient, RedisReply } from './client';
import { entryKey, openEntry, sealEntry } from './codec';
import { newGeneration, PurgeLog } from './purge-log';
import { FIND, KEEP, NO_ENTRY, RELEASE } from './scripts';

export interface RedisResultsSettings {
  readonly client: RedisClient;
  readonly serverKey: KeyObject;
  /** Everything that results depend on beside the request: store, sources, version. */
  readonly scope: () => string;
  readonly clock: Clock;
}

/**
 * Maximum size of a packed and sealed entry; about 10 ms on a fast network. Larger results are rare and are not shared.
 */
const MAX_SHARED_BYTES = 4 * 1024 * 1024;
/** Lifetime of a claim beyond the timeout of the run. */
const CLAIM_SPARE_MS = 10_000;
/** Maximum concurrent writes: each keeps its bytes in memory. */
const MAX_WRITES = 8;

export class RedisResults implements SharedResults {
  private readonly client: RedisClient;
  private readonly clock: Clock;
  private readonly key: Buffer;
  private readonly prefix: string;
  /** Name of the purge log's hash. */
  private readonly generations: string;
  private readonly purges: PurgeLog;
  private readonly listeners: ((event: SharedEvent) => void)[] = [];
  private writes = 0;

  constructor(private readonly settings: RedisResultsSettings) {
    const { client, serverKey, clock } = settings;
    this.client = client;
    this.clock = clock;
    this.key = entryKey(serverKey);
    // The braces are a hash tag: all keys of a script must belong to one slot of a cluster.
    this.prefix = `{lqe:${this.sign('shared results').slice(0, 16)}}`;
    this.generations = `${this.prefix}:generations`;
    this.purges = new PurgeLog(client, this.generations, clock);
  }

  get isUp(): boolean {
    return this.client.isUp;
  }

  async find(target: EntryTarget): Promise<SharedFinding> {
    const name = this.nameOf(target);
    const { endpointId } = target.queryRequest;
    const reply = await this.client.send(['EVAL', FIND, 2, this.generations, name, endpointId, MAX_SHARED_BYTES]);
    const stored = reply.kind === 'value' ? readStoredEntry(reply.value) : null;
    if (!stored) {
      this.emitLookup(reply.kind === 'skipped' ? 'skipped' : 'failed');
      return { run: null, slot: null };
    }
    const { run, outcome } = await this.checkEntry(target, name, stored);
    this.emitLookup(outcome);
    return { run, slot: { target, name, generation: stored.generation } };
  }

  async keep({ target, name, generation }: SharedSlot, { result, executedAt }: Run): Promise<void> {
    const lifetimeMs = Math.floor(target.policy.cacheSeconds * 1000 - elapsedMs(executedAt, this.clock));
    if (lifetimeMs < 1) return;
    if (this.writes >= MAX_WRITES) return this.emitWrite('skipped');
    const entryGeneration = generation || newGeneration('first');
    this.writes += 1;
    const entry = { result, ranAtMs: executedAt.wallMs, generation: entryGeneration };
    // The caller has its rows already: a result that cannot be sealed is a failed write.
    const sealed = await sealEntry(this.key, name, entry, MAX_SHARED_BYTES).catch((): RedisReply => ({
      kind: 'failed',
    }));
    const keys = [this.generations, name] as const;
    const values = [target.queryRequest.endpointId, generation, entryGeneration] as const;
    const reply = Buffer.isBuffer(sealed)
      ? await this.client.send(['EVAL', KEEP, 2, ...keys, ...values, sealed, lifetimeMs])
      : sealed;
    this.writes -= 1;
    if (!reply) return this.emitWrite('oversize');
    if (reply.kind !== 'value') return this.emitWrite(reply.kind);
    this.emitWrite(reply.value === 1 ? 'stored' : 'outdated');
  }

  async renew(target: EntryTarget): Promise<SharedRenewal> {
    const { run, slot } = await this.find(target);
    if (run && elapsedMs(run.executedAt, this.clock) < target.policy.warmSeconds * 1000) return { kind: 'found', run };
    const claim = `${this.nameOf(target)}:claim`;
    const owner = randomBytes(12).toString('base64url');
    const lifetimeMs = target.queryRequest.timeoutMs + CLAIM_SPARE_MS;
    const reply = slot ? await this.client.send(['SET', claim, owner, 'PX', lifetimeMs, 'NX']) : null;
    if (reply?.kind === 'value' && reply.value === null) return { kind: 'elsewhere' };
    return { kind: 'here', slot, done: () => void this.client.send(['EVAL', RELEASE, 1, claim, owner]) };
  }

  purge(endpointId: string): Promise<void> {
    return this.purges.purge(endpointId);
  }

  remove(endpointId: string): Promise<void> {
    return this.purges.remove(endpointId);
  }

  onPurge(listener: (endpointId: string) => void): void {
    this.purges.onPurge(listener);
  }

  onEvent(listener: (event: SharedEvent) => void): void {
    this.listeners.push(listener);
  }

  stop(): void {
    this.purges.stop();
    this.client.close();
  }

  /** Accepts an entry only when one of these servers sealed it for this very request. */
  private async checkEntry(
    target: EntryTarget,
    name: string,
    { generation, remainingMs, bytes }: StoredEntry
  ): Promise<{ run: Run | null; outcome: LookupOutcome }> {
    const maxAgeMs = target.policy.cacheSeconds * 1000;
    if (remainingMs === NO_ENTRY) return { run: null, outcome: 'miss' };
    if (remainingMs < 0 || remainingMs > maxAgeMs) return { run: null, outcome: 'refused' };
    const entry = await openEntry(this.key, name, bytes);
    if (!entry || !fits(entry.result, target)) return { run: null, outcome: 'refused' };
    const nowMs = this.clock.nowMicros() / 1000;
    // The age is the larger value of Redis's clock and the servers' clocks.
    const ageMs = Math.max(maxAgeMs - remainingMs, nowMs - entry.ranAtMs);
    if (entry.generation !== generation || ageMs >= maxAgeMs) return { run: null, outcome: 'miss' };
    const executedAt = { wallMs: nowMs - ageMs, monotonicMs: this.clock.monotonicMs() - ageMs };
    return { run: { result: entry.result, executedAt }, outcome: 'hit' };
  }

  private nameOf({ key }: EntryTarget): string {
    return `${this.prefix}:${this.sign(JSON.stringify([this.settings.scope(), key]))}`;
  }

  private sign(text: string): string {
    return createHmac('sha256', this.settings.serverKey).update(text).digest('base64url');
  }

  private emitLookup(outcome: LookupOutcome): void {
    for (const listener of this.listeners) listener({ kind: 'lookup', outcome });
  }

  private emitWrite(outcome: WriteOutcome): void {
    for (const listener of this.listeners) listener({ kind: 'write', outcome });
  }
}

/** Reply of `FIND`. */
interface StoredEntry {
  readonly generation: string;
  /** Negative: no entry, or an invalid one. */
  readonly remainingMs: number;
  readonly bytes: Buffer;
}

function readStoredEntry(reply: unknown): StoredEntry | null {
  if (!Array.isArray(reply)) return null;
  const [generation, remainingMs, bytes] = reply as readonly unknown[];
  if (!Buffer.isBuffer(generation) || typeof remainingMs !== 'number' || !Buffer.isBuffer(bytes)) return null;
  return { generation: generation.toString(), remainingMs, bytes };
}

function fits({ format, revision, redacted }: QueryResult, { queryRequest }: EntryTarget): boolean {
  return format === queryRequest.format && revision === queryRequest.revision && (redacted || !queryRequest.redact);
}
