/**
 * Results shared by several servers: a second cache level behind the memory of each. Any failure of Redis, of another
 * server or of an entry counts as a miss: a caller never waits long for it and never gets an error from it.
 */
import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { ServiceError } from '#contract/errors';
import type { QueryResult } from '#contract/result';
import type { Clock } from '../clock';
import type { CachedRun } from './cached-result';
import { elapsedMs, type Instant } from './instant';
import { entryKey, openEntry, sealEntry } from './shared-entry';
import type { SharedLink } from './shared-link';

type WarmTarget = Pick<CachedRun, 'key' | 'question' | 'policy'>;
type Run = Pick<CachedRun, 'result' | 'executedAt'>;

/** Address of the shared entry of a run. */
export interface SharedSlot {
  readonly asked: WarmTarget;
  readonly name: string;
  /** Generation when the run began; empty: none yet. */
  readonly generation: string;
}

export interface SharedFinding {
  readonly run: Run | null;
  /** Null: the cache did not answer, so nothing is stored there either. */
  readonly slot: SharedSlot | null;
}

/**
 * Outcome of a background refresh: `found`: another server has a newer result; `elsewhere`: another server is running
 * it; `here`: this server runs it.
 */
export type SharedRenewal =
  | { readonly kind: 'found'; readonly run: Run }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'here'; readonly slot: SharedSlot | null; readonly done: () => void };

/**
 * `refused`: not an entry of these servers, or too large. `failed`: no answer in time. `skipped`: not sent after
 * earlier failures.
 */
export type LookupOutcome = 'hit' | 'miss' | 'refused' | 'failed' | 'skipped';
/** `outdated`: purged since the run began. */
export type WriteOutcome = 'stored' | 'outdated' | 'oversize' | 'failed' | 'skipped';

export type SharedEvent =
  | { readonly kind: 'lookup'; readonly outcome: LookupOutcome }
  | { readonly kind: 'write'; readonly outcome: WriteOutcome };

export interface SharedResults {
  readonly isUp: boolean;
  find(asked: WarmTarget): Promise<SharedFinding>;
  keep(slot: SharedSlot, run: Run): Promise<void>;
  renew(asked: WarmTarget): Promise<SharedRenewal>;
  /** Deletes the results of a saved query for all servers. @throws ServiceError `cache_unavailable` */
  purge(endpointId: string): Promise<void>;
  /** The listener is called within two seconds with a saved query that another server has purged. */
  onPurge(listener: (endpointId: string) => void): void;
  onEvent(listener: (event: SharedEvent) => void): void;
  stop(): void;
}

export interface SharedResultsSettings {
  readonly link: SharedLink;
  readonly serverKey: KeyObject;
  /** Everything that results depend on beside the request: store, sources, version. */
  readonly scope: () => string;
  readonly clock: Clock;
}

/**
 * Maximum size of a packed and sealed entry; about 10 ms on a fast network. Larger results are rare and are not shared.
 */
export const MAX_SHARED_BYTES = 4 * 1024 * 1024;
const PURGE_POLL_MS = 1000;
/** Lifetime of a claim beyond the timeout of the run. */
const RENEWAL_SPARE_MS = 10_000;
/** Maximum concurrent writes: each keeps its bytes in memory. */
const MAX_WRITES = 8;

/**
 * KEYS: generations, entry. ARGV: saved query, maximum size. Returns generation, remaining time in ms (-2 no entry, -3
 * invalid type or size), bytes.
 */
const FIND = `
local generation = redis.call('HGET', KEYS[1], ARGV[1]) or ''
local size = redis.pcall('STRLEN', KEYS[2])
if type(size) ~= 'number' or size > tonumber(ARGV[2]) then return {generation, -3, ''} end
if size == 0 then return {generation, -2, ''} end
return {generation, redis.call('PTTL', KEYS[2]), redis.call('GET', KEYS[2])}`;

/**
 * KEYS: generations, entry. ARGV: saved query, generation when the run began, that of the entry, bytes, lifetime in ms.
 */
const KEEP = `
local generation = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if generation ~= ARGV[2] then return 0 end
if generation == '' then redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5])
return 1`;

/** KEYS: claim. ARGV: owner of the claim. */
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

export function createSharedResults({ link, serverKey, scope, clock }: SharedResultsSettings): SharedResults {
  const key = entryKey(serverKey);
  const sign = (text: string): string => createHmac('sha256', serverKey).update(text).digest('base64url');
  // The braces are a hash tag: all keys of a script must belong to one slot of a cluster.
  const prefix = `{lqe:${sign('shared results').slice(0, 16)}}`;
  const generations = `${prefix}:generations`;
  const known = new Map<string, string>();
  const purgeListeners: ((endpointId: string) => void)[] = [];
  const listeners: ((event: SharedEvent) => void)[] = [];
  let writes = 0;
  let cancelPoll = (): void => undefined;
  schedulePoll();

  return {
    get isUp() {
      return link.isUp;
    },
    find,
    keep,
    renew,
    purge,
    onPurge: (listener) => void purgeListeners.push(listener),
    onEvent: (listener) => void listeners.push(listener),
    stop: () => {
      cancelPoll();
      link.close();
    },
  };

  async function find(asked: WarmTarget): Promise<SharedFinding> {
    const name = nameOf(asked);
    const reply = await link.send(['EVAL', FIND, 2, generations, name, asked.question.endpointId, MAX_SHARED_BYTES]);
    const found = reply.kind === 'value' ? readFinding(reply.value) : null;
    if (!found) {
      emit({ kind: 'lookup', outcome: reply.kind === 'skipped' ? 'skipped' : 'failed' });
      return { run: null, slot: null };
    }
    const { run, outcome } = await checkEntry(asked, name, found);
    emit({ kind: 'lookup', outcome });
    return { run, slot: { asked, name, generation: found.generation } };
  }

  /** Accepts an entry only when one of these servers sealed it for this very request. */
  async function checkEntry(
    asked: WarmTarget,
    name: string,
    found: Finding
  ): Promise<{ run: Run | null; outcome: LookupOutcome }> {
    const maxAgeMs = asked.policy.cacheSeconds * 1000;
    if (found.restMs === NONE) return { run: null, outcome: 'miss' };
    if (found.restMs < 0 || found.restMs > maxAgeMs) return { run: null, outcome: 'refused' };
    const entry = await openEntry(key, name, found.bytes);
    if (!entry || !answers(asked, entry.result)) return { run: null, outcome: 'refused' };
    // The age is the larger value of Redis's clock and the servers' clocks.
    const ageMs = Math.max(maxAgeMs - found.restMs, clock.nowMicros() / 1000 - entry.ranAtMs);
    if (entry.generation !== found.generation || ageMs >= maxAgeMs) return { run: null, outcome: 'miss' };
    const executedAt: Instant = { wallMs: clock.nowMicros() / 1000 - ageMs, monotonicMs: clock.monotonicMs() - ageMs };
    return { run: { result: entry.result, executedAt }, outcome: 'hit' };
  }

  async function keep({ asked, name, generation }: SharedSlot, { result, executedAt }: Run): Promise<void> {
    const restMs = Math.floor(asked.policy.cacheSeconds * 1000 - elapsedMs(executedAt, clock));
    if (restMs < 1) return;
    if (writes >= MAX_WRITES) return emit({ kind: 'write', outcome: 'skipped' });
    const sealedFor = generation || newGeneration('first');
    const { endpointId } = asked.question;
    writes += 1;
    const entry = { result, ranAtMs: executedAt.wallMs, generation: sealedFor };
    const sealed = await sealEntry(key, name, entry, MAX_SHARED_BYTES);
    const reply =
      sealed &&
      (await link.send(['EVAL', KEEP, 2, generations, name, endpointId, generation, sealedFor, sealed, restMs]));
    writes -= 1;
    if (!reply) return emit({ kind: 'write', outcome: 'oversize' });
    if (reply.kind !== 'value') return emit({ kind: 'write', outcome: reply.kind });
    emit({ kind: 'write', outcome: reply.value === 1 ? 'stored' : 'outdated' });
  }

  async function renew(asked: WarmTarget): Promise<SharedRenewal> {
    const { run, slot } = await find(asked);
    if (run && elapsedMs(run.executedAt, clock) < asked.policy.warmSeconds * 1000) return { kind: 'found', run };
    const claim = `${nameOf(asked)}:claim`;
    const owner = randomBytes(12).toString('base64url');
    const restMs = asked.question.timeoutMs + RENEWAL_SPARE_MS;
    const reply = slot ? await link.send(['SET', claim, owner, 'PX', restMs, 'NX']) : null;
    if (reply?.kind === 'value' && reply.value === null) return { kind: 'elsewhere' };
    return { kind: 'here', slot, done: () => void link.send(['EVAL', RELEASE, 1, claim, owner]) };
  }

  async function purge(endpointId: string): Promise<void> {
    const generation = newGeneration('purge');
    const reply = await link.send(['HSET', generations, endpointId, generation]);
    if (reply.kind !== 'value')
      throw new ServiceError(
        'cache_unavailable',
        'The results of this server are purged; other servers could not be told.'
      );
    known.set(endpointId, generation);
  }

  function schedulePoll(): void {
    cancelPoll = clock.setTimer(() => void pollPurges().finally(schedulePoll), PURGE_POLL_MS);
  }

  async function pollPurges(): Promise<void> {
    const reply = await link.send(['HGETALL', generations]);
    if (reply.kind !== 'value' || !Array.isArray(reply.value)) return;
    const texts = reply.value.map(String);
    for (let at = 0; at + 1 < texts.length; at += 2) noteGeneration(texts[at]!, texts[at + 1]!);
  }

  function noteGeneration(endpointId: string, generation: string): void {
    const before = known.get(endpointId);
    known.set(endpointId, generation);
    const isFirst = !before && (generation === '' || generation.startsWith('first'));
    if (before !== generation && !isFirst) for (const listener of purgeListeners) listener(endpointId);
  }

  function nameOf(asked: WarmTarget): string {
    return `${prefix}:${sign(JSON.stringify([scope(), asked.key]))}`;
  }

  function emit(event: SharedEvent): void {
    for (const listener of listeners) listener(event);
  }
}

const NONE = -2;

/** Returns a unique generation: entries of an earlier generation never become valid again. */
function newGeneration(cause: 'first' | 'purge'): string {
  return `${cause}:${randomBytes(12).toString('base64url')}`;
}

interface Finding {
  readonly generation: string;
  readonly restMs: number;
  readonly bytes: Buffer;
}

function readFinding(reply: unknown): Finding | null {
  if (!Array.isArray(reply)) return null;
  const [generation, restMs, bytes] = reply as readonly unknown[];
  if (!Buffer.isBuffer(generation) || typeof restMs !== 'number' || !Buffer.isBuffer(bytes)) return null;
  return { generation: generation.toString(), restMs, bytes };
}

function answers({ question }: WarmTarget, result: QueryResult): boolean {
  const isRight = result.format === question.format && result.revision === question.revision;
  return isRight && (result.redacted || !question.redact);
}
