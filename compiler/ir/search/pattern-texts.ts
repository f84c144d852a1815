/**
 * Texts that each match of a regular expression holds. Reads the usual part of RE2's syntax; a valid pattern with
 * anything else has no known texts.
 */

export type PatternTexts =
  | { readonly kind: 'all' | 'any'; readonly of: readonly PatternTexts[] }
  | { readonly kind: 'piece'; readonly text: string; readonly anyCase: boolean };

/** What is known of a part of a pattern; `exact`: it matches this text only. */
interface Known {
  readonly exact: string | null;
  readonly texts: PatternTexts | undefined;
}

const UNKNOWN: Known = { exact: null, texts: undefined };

/** Groups in one another. */
const MAX_DEPTH = 50;

class NotRead extends Error {}

/** @param pattern a valid one. @returns undefined if nothing is known */
export function patternTexts(pattern: string): PatternTexts | undefined {
  try {
    return new PatternReader([...pattern]).whole();
  } catch (error) {
    if (error instanceof NotRead) return undefined;
    throw error;
  }
}

class PatternReader {
  private at = 0;
  private depth = 0;

  constructor(private readonly characters: readonly string[]) {}

  whole(): PatternTexts | undefined {
    const { texts } = this.alternatives(false);
    if (this.at < this.characters.length) throw new NotRead();
    return texts;
  }

  /** Up to the end of the group. */
  private alternatives(anyCase: boolean): Known {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NotRead();
    const scope = { anyCase };
    const branches = [this.branch(scope)];
    while (this.takes('|')) branches.push(this.branch(scope));
    this.depth -= 1;
    const [only] = branches;
    if (branches.length === 1 && only !== undefined) return only;
    const of = branches.map(({ texts }) => texts);
    return { exact: null, texts: of.every((texts) => texts !== undefined) ? { kind: 'any', of } : undefined };
  }

  /** @param scope of the group: flags count from their place to its end */
  private branch(scope: { anyCase: boolean }): Known {
    const found: PatternTexts[] = [];
    let run = '';
    let isExact = true;
    let runCase = scope.anyCase;
    const endRun = (): void => {
      if (run !== '') found.push({ kind: 'piece', text: run, anyCase: runCase });
      run = '';
    };
    while (this.at < this.characters.length && !this.sees('|') && !this.sees(')')) {
      const item = this.item(scope);
      if (runCase !== scope.anyCase) {
        endRun();
        runCase = scope.anyCase;
        isExact = false;
      }
      const least = this.leastRepeats();
      if (least !== null) isExact = false;
      if (least === 0) endRun();
      else if (item.exact !== null) {
        run += item.exact;
        if (least !== null) endRun();
      } else {
        isExact = false;
        endRun();
        if (item.texts !== undefined) found.push(item.texts);
      }
    }
    const exact = isExact && !runCase ? run : null;
    endRun();
    const [only] = found;
    return { exact, texts: found.length > 1 ? { kind: 'all', of: found } : only };
  }

  private item(scope: { anyCase: boolean }): Known {
    const character = this.next();
    switch (character) {
      case '(':
        return this.group(scope);
      case '[':
        this.skipClass();
        return UNKNOWN;
      case '.':
      case '^':
      case '$':
        return UNKNOWN;
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new NotRead();
      default:
        return { exact: character, texts: undefined };
    }
  }

  /** After its parenthesis. */
  private group(scope: { anyCase: boolean }): Known {
    let { anyCase } = scope;
    if (this.takes('?')) {
      if (this.takes('P')) this.skipName();
      else if (this.sees('<')) this.skipName();
      else {
        const flags = this.flags();
        anyCase = flags.anyCase ?? anyCase;
        if (flags.isToEnd) {
          scope.anyCase = anyCase;
          return { exact: '', texts: undefined };
        }
      }
    }
    const inside = this.alternatives(anyCase);
    if (!this.takes(')')) throw new NotRead();
    // A text around it would be compared by another rule.
    return anyCase === scope.anyCase ? inside : { ...inside, exact: null };
  }

  private skipName(): void {
    if (!this.takes('<')) throw new NotRead();
    while (!this.takes('>')) this.next();
  }

  private flags(): { readonly anyCase: boolean | undefined; readonly isToEnd: boolean } {
    let anyCase: boolean | undefined;
    let isSet = true;
    for (;;) {
      const flag = this.next();
      if (flag === ':' || flag === ')') return { anyCase, isToEnd: flag === ')' };
      if (flag === '-') isSet = false;
      else if (flag === 'i') anyCase = isSet;
      else if (!'msU'.includes(flag)) throw new NotRead();
    }
  }

  private escape(): Known {
    const character = this.next();
    if (character === 'p' || character === 'P' || character === 'x') {
      if (this.takes('{')) while (!this.takes('}')) this.next();
      else this.at += character === 'x' ? 2 : 1;
      return UNKNOWN;
    }
    if ('dDsSwWbBAzafnrtvC'.includes(character)) return UNKNOWN;
    if (/[!-/:-@[-`{-~]/.test(character)) return { exact: character, texts: undefined };
    throw new NotRead();
  }

  /** After its bracket. */
  private skipClass(): void {
    this.takes('^');
    this.takes(']');
    while (!this.takes(']')) {
      const character = this.next();
      if (character === '\\') this.next();
      if (character === '[' && this.takes(':')) this.skipNamedClass();
    }
  }

  /** After `[:`. */
  private skipNamedClass(): void {
    while (!this.takes(':')) this.next();
    if (!this.takes(']')) throw new NotRead();
  }

  /** Null: the item is not repeated. */
  private leastRepeats(): number | null {
    let least: number;
    if (this.takes('*') || this.takes('?')) least = 0;
    else if (this.takes('+')) least = 1;
    else if (this.takes('{')) least = this.countInBraces();
    else return null;
    this.takes('?');
    if (['*', '+', '?', '{'].some((next) => this.sees(next))) throw new NotRead();
    return least;
  }

  private countInBraces(): number {
    let text = '';
    for (let character = this.next(); character !== '}'; character = this.next()) text += character;
    const match = /^(\d+)(?:,\d*)?$/.exec(text);
    if (match === null) throw new NotRead();
    return Number(match[1]);
  }

  private sees(character: string): boolean {
    return this.characters[this.at] === character;
  }

  private takes(character: string): boolean {
    if (!this.sees(character)) return false;
    this.at += 1;
    return true;
  }

  private next(): string {
    const character = this.characters[this.at];
    if (character === undefined) throw new NotRead();
    this.at += 1;
    return character;
  }
}
