/** Why the latest batches of the sources were refused. ClickHouse has no state of its own to ask for. */
import { ServiceError } from '#contract/errors';
import type { IngestFault } from '../../store';

/** After this time without a batch of the source, the cause may have ended. */
const RECENT_MS = 60_000;

export class IngestFaults {
  private readonly bySource = new Map<string, { readonly fault: IngestFault; readonly atMs: number }>();

  /** Fault of any source within the last minute; null: none. */
  get current(): IngestFault | null {
    const recent = [...this.bySource.values()].filter(({ atMs }) => performance.now() - atMs < RECENT_MS);
    return recent.find(({ fault }) => fault !== 'other')?.fault ?? recent[0]?.fault ?? null;
  }

  /** Notes a refusal of ClickHouse itself: full queues and invalid batches are no fault of it. */
  note(source: string, error: unknown): void {
    if (!(error instanceof ServiceError) || (error.code !== 'backend_unavailable' && error.code !== 'backend_error'))
      return;
    const { reason } = error.details;
    const fault = reason === 'disk_full' || reason === 'memory' ? reason : 'other';
    this.bySource.set(source, { fault, atMs: performance.now() });
  }

  clear(source: string): void {
    this.bySource.delete(source);
  }
}
