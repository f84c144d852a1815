/** Facts about the stored events of each source, read at most once in a while for all callers. */
import type { StoredSource } from '#contract/queries/description';
import type { Clock } from '../../common/clock';
import type { EngineClient } from '../../engine/client/engine-client';

const FRESH_MS = 5000;
const TIMEOUT_MS = 30_000;

export class SourceCheck {
  private last: { readonly sources: readonly StoredSource[]; readonly atMs: number } | null = null;
  private reading: Promise<readonly StoredSource[]> | null = null;

  constructor(
    private readonly engine: Pick<EngineClient, 'call'>,
    private readonly clock: Pick<Clock, 'monotonicMs'>
  ) {}

  /** @throws ServiceError of the engine */
  async read(): Promise<readonly StoredSource[]> {
    if (this.last && this.clock.monotonicMs() - this.last.atMs < FRESH_MS) return this.last.sources;
    this.reading ??= this.readNow().finally(() => (this.reading = null));
    return this.reading;
  }

  private async readNow(): Promise<readonly StoredSource[]> {
    const { sources } = await this.engine.call('sources', {}, { timeoutMs: TIMEOUT_MS });
    this.last = { sources, atMs: this.clock.monotonicMs() };
    return sources;
  }
}
