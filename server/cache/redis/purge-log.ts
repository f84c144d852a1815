/**
 * Purges of all servers: a hash in Redis with the generation of each saved query. A purge sets a new generation, which
 * makes the entries of earlier ones invalid; every server polls the hash to purge its own memory.
 */
import { randomBytes } from 'node:crypto';
import { ServiceError } from '#contract/errors';
import type { Clock } from '../../common/clock';
import type { RedisClient } from './client';

const POLL_MS = 1000;

/** `first`: the first entry of a saved query, which purges nothing. */
type GenerationCause = 'first' | 'purge';

export class PurgeLog {
  /** Generation by saved query, as last read or set. */
  private readonly generations = new Map<string, string>();
  private readonly listeners: ((endpointId: string) => void)[] = [];
  private cancelPoll: () => void = () => undefined;

  /** @param key name of the hash in Redis */
  constructor(
    private readonly client: RedisClient,
    private readonly key: string,
    private readonly clock: Clock
  ) {
    this.schedulePoll();
  }

  /** Sets a new generation. @throws ServiceError `cache_unavailable` when Redis does not answer */
  async purge(endpointId: string): Promise<void> {
    const generation = newGeneration('purge');
    const reply = await this.client.send(['HSET', this.key, endpointId, generation]);
    if (reply.kind !== 'value')
      throw new ServiceError(
        'cache_unavailable',
        'The results of this server are purged; other servers could not be notified.'
      );
    this.generations.set(endpointId, generation);
  }

  /**
   * Deletes the generation of a deleted saved query, since every server reads the whole hash each second. Its entries
   * stay invalid: without a generation the next one is new. Without an answer of Redis it stays.
   */
  async remove(endpointId: string): Promise<void> {
    this.generations.delete(endpointId);
    await this.client.send(['HDEL', this.key, endpointId]);
  }

  /** The listener is called within two seconds with a saved query that another server has purged. */
  onPurge(listener: (endpointId: string) => void): void {
    this.listeners.push(listener);
  }

  /** Stops polling. */
  stop(): void {
    this.cancelPoll();
  }

  private schedulePoll(): void {
    this.cancelPoll = this.clock.setTimer(() => void this.poll().finally(() => this.schedulePoll()), POLL_MS);
  }

  private async poll(): Promise<void> {
    const reply = await this.client.send(['HGETALL', this.key]);
    if (reply.kind !== 'value' || !Array.isArray(reply.value)) return;
    const texts = reply.value.map(String);
    const read = new Map<string, string>();
    for (let at = 0; at + 1 < texts.length; at += 2) read.set(texts[at]!, texts[at + 1]!);
    for (const endpointId of this.generations.keys()) if (!read.has(endpointId)) this.onLoss(endpointId);
    for (const [endpointId, generation] of read) this.onGeneration(endpointId, generation);
  }

  /** Redis may have lost a purge together with the generation, or the saved query is deleted. */
  private onLoss(endpointId: string): void {
    this.generations.delete(endpointId);
    for (const listener of this.listeners) listener(endpointId);
  }

  private onGeneration(endpointId: string, generation: string): void {
    const before = this.generations.get(endpointId);
    this.generations.set(endpointId, generation);
    const isFirst = !before && (generation === '' || generation.startsWith('first'));
    if (before !== generation && !isFirst) for (const listener of this.listeners) listener(endpointId);
  }
}

/** Returns a unique generation: entries of an earlier generation never become valid again. */
export function newGeneration(cause: GenerationCause): string {
  return `${cause}:${randomBytes(12).toString('base64url')}`;
}
