/** Reader over tokens, with the basic elements of the builder's texts. */
import { CannotRead } from './model';
import { isReserved, type SqlToken } from './sql/sql-tokens';

export class TokenReader {
  private at = 0;

  constructor(private readonly tokens: readonly SqlToken[]) {}

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  peek(ahead = 0): SqlToken | undefined {
    return this.tokens[this.at + ahead];
  }

  next(): SqlToken {
    const token = this.tokens[this.at];
    if (!token) throw new CannotRead('It ends too early.');
    this.at += 1;
    return token;
  }

  /** Returns to a position from `mark`. */
  back(place: number): void {
    this.at = place;
  }

  mark(): number {
    return this.at;
  }

  /** Consumes all of the words or operators, or none. */
  accept(...symbols: readonly string[]): boolean {
    const fits = symbols.every((symbol, ahead) => {
      const token = this.peek(ahead);
      return (token?.kind === 'word' || token?.kind === 'operator') && token.text.toLowerCase() === symbol;
    });
    if (fits) this.at += symbols.length;
    return fits;
  }

  expect(...symbols: readonly string[]): void {
    if (!this.accept(...symbols)) throw this.unexpected();
  }

  /** Consumes a macro such as `$__timeFilter` and its opening parenthesis. */
  acceptMacro(name: string): boolean {
    const token = this.peek();
    if (token?.kind !== 'variable' || token.text !== name) return false;
    this.at += 1;
    this.expect('(');
    return true;
  }

  /** Consumes a name, with or without backticks; undefined if there is no name. */
  acceptName(isAfterDot = false): string | undefined {
    const token = this.peek();
    if (token?.kind === 'name') {
      this.at += 1;
      return token.value;
    }
    if (token?.kind !== 'word' || (!isAfterDot && isReserved(token.text))) return undefined;
    this.at += 1;
    return token.text;
  }

  name(): string {
    const name = this.acceptName();
    if (name === undefined) throw this.unexpected();
    return name;
  }

  unexpected(): CannotRead {
    const token = this.peek();
    return new CannotRead(
      token ? `The builder does not know what “${token.text}” means at its place.` : 'It ends too early.'
    );
  }
}
