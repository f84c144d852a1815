/** Bodies in a file, made before any is sent: the systems under test would work while the sender makes the next one. */
import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

export class StoredBodies {
  private readonly file: number;
  /** Where each body begins, and the end of the last one. */
  private readonly starts: number[] = [0];

  constructor(
    private readonly path: string,
    bodies: Iterable<Buffer>
  ) {
    this.file = openSync(path, 'w+');
    for (const body of bodies) {
      writeSync(this.file, body);
      this.starts.push(fstatSync(this.file).size);
    }
  }

  get count(): number {
    return this.starts.length - 1;
  }

  /** @param index from 0 to `count` - 1 */
  read(index: number): Buffer {
    const start = this.starts[index]!;
    const body = Buffer.allocUnsafe(this.starts[index + 1]! - start);
    readSync(this.file, body, 0, body.length, start);
    return body;
  }

  remove(): void {
    closeSync(this.file);
    rmSync(this.path);
  }
}
