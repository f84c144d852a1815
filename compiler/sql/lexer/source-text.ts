/** Source text with the line and column of each offset. */
import type { SourcePosition } from '../../ast/node';

export class SourceText {
  private readonly lineStarts: number[] = [0];
  private line = 0;

  constructor(readonly text: string) {
    for (const lineBreak of text.matchAll(/\r\n|\r|\n/g)) this.lineStarts.push(lineBreak.index + lineBreak[0].length);
  }

  /** Position of the range `[offset, end)`. Linear in total if offsets increase from call to call. */
  position(offset: number, end = offset + 1): SourcePosition {
    if (offset < this.startOf(this.line)) this.line = 0;
    while (offset >= this.startOf(this.line + 1)) this.line += 1;
    return { offset, end, line: this.line + 1, column: offset - this.startOf(this.line) + 1 };
  }

  private startOf(line: number): number {
    return this.lineStarts[line] ?? Number.POSITIVE_INFINITY;
  }
}
