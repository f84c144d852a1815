/** Reader: the text and the current offset. Sticky patterns keep parsing linear in the length of the text. */
import { PatternBudget } from '#contract/pattern-limits';
import type { SourcePosition } from '../../ast';
import { SourceText } from '../../sql/lexer/source-text';
import { lqlError } from '../errors';
import { itemAt } from '../../items';

const WHITE = /\p{White_Space}+/uy;
/** Characters up to white space or a quote; the two characters `\"` stand for a quote. */
const PLAIN = /(?:\\"|[^\p{White_Space}"])+/uy;
/** Each character matches one alternative only, so an unclosed quote causes no backtracking. */
const QUOTED = /"((?:\\["\\]|\\(?!["\\])|[^"\\])*)"/uy;
const PARENTHESISED = /\(([^)]*)\)/uy;

export class Reader {
  offset = 0;
  readonly patterns = new PatternBudget();
  private readonly source: SourceText;

  constructor(readonly text: string) {
    this.source = new SourceText(text);
  }

  get atEnd(): boolean {
    return this.offset >= this.text.length;
  }

  /** The range `[from, to)`. */
  position(from: number, to: number = this.offset): SourcePosition {
    return this.source.position(from, to);
  }

  at(text: string): boolean {
    return this.text.startsWith(text, this.offset);
  }

  accept(text: string): boolean {
    if (!this.at(text)) return false;
    this.offset += text.length;
    return true;
  }

  /** Consumes a match of the sticky pattern at the current offset. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text);
    if (found !== null) this.offset = pattern.lastIndex;
    return found;
  }

  skipWhite(): boolean {
    return this.match(WHITE) !== null;
  }

  /** Whether a clause may end here. */
  get atBoundary(): boolean {
    WHITE.lastIndex = this.offset;
    return this.atEnd || WHITE.test(this.text);
  }

  /** Reads text up to white space, with `\"` as a quote; may be empty. @throws quote_in_word */
  plain(): string {
    const word = this.match(PLAIN)?.[0] ?? '';
    if (this.at('"')) {
      throw lqlError(
        'quote_in_word',
        'a quote cannot stand inside a word',
        this.position(this.offset, this.offset + 1),
        {
          hint: 'put quotes round the whole text, and write \\" for a quote in it',
        }
      );
    }
    return word.replaceAll('\\"', '"');
  }

  /** Reads and decodes `"…"`; null if there is no quote here. @throws unclosed_quote */
  quoted(): string | null {
    if (!this.at('"')) return null;
    const start = this.offset;
    const found = this.match(QUOTED);
    if (found === null) {
      throw lqlError('unclosed_quote', 'the quote is not closed', this.position(start, this.text.length), {
        hint: 'end the text with ", and write \\" for a quote in it',
      });
    }
    return itemAt(found, 1).replace(/\\(["\\])/g, '$1');
  }

  /** Reads `(…)` up to the first `)`; null if there is no parenthesis here. @throws unclosed_paren */
  parenthesised(): string | null {
    if (!this.at('(')) return null;
    const start = this.offset;
    const found = this.match(PARENTHESISED);
    if (found === null) throw this.unclosedParen(start);
    return itemAt(found, 1);
  }

  unclosedParen(start: number): Error {
    return lqlError('unclosed_paren', 'the parenthesis is not closed', this.position(start, this.text.length), {
      hint: 'end it with ), or put quotes round the text',
    });
  }

  /** Requires white space before the next clause, after quotes and parentheses. @throws syntax */
  expectBoundary(after: string): void {
    if (this.atBoundary) return;
    throw lqlError('syntax', `expected a space after ${after}`, this.position(this.offset, this.offset + 1));
  }
}
