/**
 * Knows whether other connections than those of queries write. The end of a transaction may then wait for the end of
 * theirs, which waits for the disk, and clears what they have replaced.
 */
export class WriteActivity {
  private running = 0;
  private begun = 0;

  async during<T>(task: () => Promise<T>): Promise<T> {
    this.running++;
    this.begun++;
    try {
      return await task();
    } finally {
      this.running--;
    }
  }

  /** Null while something writes. Between two equal numbers nothing did. */
  get restNumber(): number | null {
    return this.running > 0 ? null : this.begun;
  }
}
