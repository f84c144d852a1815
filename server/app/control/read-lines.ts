/** Splits bytes into lines of bounded length. */

const NEWLINE = 0x0a;

class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

export class LineReader {
  private pieces: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** @returns the lines that end in these bytes, without their newline. @throws LineTooLongError */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      lines.push(Buffer.concat(this.pieces).toString('utf8'));
      this.pieces = [];
      this.bytes = 0;
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
    return lines;
  }

  private keep(piece: Buffer): void {
    this.bytes += piece.length;
    if (this.bytes > this.maxBytes) throw new LineTooLongError('The line is too long.');
    if (piece.length > 0) this.pieces.push(piece);
  }
}
