/** Counts bytes that are in memory, per owner and in total. */
export class OwnedBytes {
  private readonly byOwner = new Map<string, number>();
  /** Number of uses of a shared buffer, by owner. */
  private readonly shared = new Map<Uint8Array, Map<string, number>>();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  of(owner: string): number {
    return this.byOwner.get(owner) ?? 0;
  }

  /** @returns a function that stops counting the bytes; it is called once */
  add(owner: string, bytes: number): () => void {
    this.sum += bytes;
    this.change(owner, bytes);
    return () => {
      this.sum -= bytes;
      this.change(owner, -bytes);
    };
  }

  /**
   * Counts a buffer once for each owner that uses it, and once in total.
   *
   * @returns a function that ends this use; it is called once
   */
  addShared(owner: string, buffer: Uint8Array): () => void {
    const uses = this.shared.get(buffer) ?? new Map<string, number>();
    if (uses.size === 0) {
      this.shared.set(buffer, uses);
      this.sum += buffer.byteLength;
    }
    const before = uses.get(owner) ?? 0;
    uses.set(owner, before + 1);
    if (before === 0) this.change(owner, buffer.byteLength);
    return () => this.endUse(owner, buffer, uses);
  }

  private endUse(owner: string, buffer: Uint8Array, uses: Map<string, number>): void {
    const rest = uses.get(owner)! - 1;
    if (rest > 0) {
      uses.set(owner, rest);
      return;
    }
    uses.delete(owner);
    this.change(owner, -buffer.byteLength);
    if (uses.size > 0) return;
    this.shared.delete(buffer);
    this.sum -= buffer.byteLength;
  }

  private change(owner: string, bytes: number): void {
    const rest = this.of(owner) + bytes;
    if (rest === 0) this.byOwner.delete(owner);
    else this.byOwner.set(owner, rest);
  }
}
