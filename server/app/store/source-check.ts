/** Facts about the stored events of each source, read at most once in a while for all callers. */
import type { StoredSource } from '#contract/queries/description';
import type { Sources } from '../../catalog/definitions/sources';
import type { Clock } from '../../common/clock';
import type { EngineClient } from '../../engine/client/engine-client';

const FRESH_MS = 5000;
const TIMEOUT_MS = 30_000;

/** Facts about the sources that were declared when they were read. */
interface Of<T> {
  readonly declared: Sources['all'];
  readonly facts: T;
}

export class SourceCheck {
  private last: (Of<readonly StoredSource[]> & { readonly atMs: number }) | null = null;
  private reading: Of<Promise<readonly StoredSource[]>> | null = null;

  constructor(
    private readonly engine: Pick<EngineClient, 'call'>,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly sources: Pick<Sources, 'all'>
  ) {}

  /**
   * Facts of before a change of the sources are not used after it.
   * @throws ServiceError of the engine
   */
  async read(): Promise<readonly StoredSource[]> {
    const { all: declared } = this.sources;
    const { last, reading } = this;
    if (last?.declared === declared && this.clock.monotonicMs() - last.atMs < FRESH_MS) return last.facts;
    if (reading?.declared === declared) return reading.facts;
    const next = { declared, facts: this.readNow(declared) };
    this.reading = next;
    try {
      return await next.facts;
    } finally {
      if (this.reading === next) this.reading = null;
    }
  }

  private async readNow(declared: Sources['all']): Promise<readonly StoredSource[]> {
    const { sources } = await this.engine.call('sources', {}, { timeoutMs: TIMEOUT_MS });
    this.last = { declared, facts: sources, atMs: this.clock.monotonicMs() };
    return sources;
  }
}
