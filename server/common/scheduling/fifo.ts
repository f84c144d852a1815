/** Queue of any length, first in, first out. `shift` of a long array moves all of its items. */
export class Fifo<T> {
  private incoming: T[] = [];
  /** The first items, the very first one at the end. */
  private outgoing: T[] = [];

  push(item: T): void {
    this.incoming.push(item);
  }

  /** @returns undefined when the queue is empty */
  shift(): T | undefined {
    if (this.outgoing.length === 0) {
      this.outgoing = this.incoming.reverse();
      this.incoming = [];
    }
    return this.outgoing.pop();
  }
}
