/**
 * Knows whether other connections than those of queries write. The end of a transaction may then wait for the end of
 * theirs, which waits for the disk, and clears what they have replaced.
 */
export class WriteActivity {
  private running = 0;
  private begun = 0;

  /** @param observer is notified of the beginning and the end of each piece of work */
  constructor(private readonly observer: { begin(): void; end(): void } | null = null) {}

  async during<T>(task: () => Promise<T>): Promise<T> {
    this.running++;
    this.begun++;
    this.observer?.begin();
    try {
      return await task();
    } finally {
      this.running--;
      this.observer?.end();
    }
  }

  /** Null while something writes. Between two equal numbers nothing did. */
  get restNumber(): number | null {
    return this.running > 0 ? null : this.begun;
  }
}
