/** Positions of a source map, decoded into numbers. */

export interface SourceMapText {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** Line and column count from zero. */
export interface SourcePosition {
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** Numbers of a mapping that has a source: line and column of the code, source, its line and column. */
const NUMBERS = 5;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const [COMMA, SEMICOLON] = [',', ';'].map((sign) => sign.charCodeAt(0));
/** Bits of a digit, and the one that says that another digit follows. */
const [BITS, CONTINUES] = [5, 32];

/**
 * Node's `SourceMap` makes an object of each mapping: for the map of the server that is a third of a second in which
 * nothing else runs, and some 50 MB.
 *
 * @returns the source of a position of the code; null where no mapping is before it
 */
export function decodeSourceMap(map: SourceMapText): (line: number, column: number) => SourcePosition | null {
  const { numbers, count } = decode(map.mappings);
  const isBehind = (at: number, line: number, column: number): boolean => {
    const mapped = numbers[at * NUMBERS]!;
    return mapped > line || (mapped === line && numbers[at * NUMBERS + 1]! > column);
  };
  return (line, column) => {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBehind(middle, line, column)) high = middle;
      else low = middle + 1;
    }
    if (low === 0) return null;
    const at = (low - 1) * NUMBERS;
    const source = map.sources[numbers[at + 2]!];
    return source === undefined ? null : { source, line: numbers[at + 3]!, column: numbers[at + 4]! };
  };
}

/** A mapping without a source has the source -1. */
function decode(mappings: string): { readonly numbers: Int32Array; readonly count: number } {
  const valueOf = new Int8Array(128);
  for (let digit = 0; digit < DIGITS.length; digit += 1) valueOf[DIGITS.charCodeAt(digit)] = digit;
  const numbers = new Int32Array(countMappings(mappings) * NUMBERS);
  let count = 0;
  let line = 0;
  /** Column of the code, source, its line, its column, name: each is written as the difference to the one before. */
  const present = new Int32Array(NUMBERS);
  let field = 0;
  let [value, shift] = [0, 0];
  for (let at = 0; at <= mappings.length; at += 1) {
    const code = at < mappings.length ? mappings.charCodeAt(at) : SEMICOLON!;
    if (code !== COMMA && code !== SEMICOLON) {
      const digit = valueOf[code]!;
      value |= (digit & (CONTINUES - 1)) << shift;
      shift += BITS;
      if ((digit & CONTINUES) !== 0) continue;
      present[field]! += (value & 1) === 0 ? value >>> 1 : -(value >>> 1);
      field += 1;
      [value, shift] = [0, 0];
      continue;
    }
    if (field > 0) {
      const to = count * NUMBERS;
      numbers[to] = line;
      numbers[to + 1] = present[0]!;
      numbers[to + 2] = field > 1 ? present[1]! : -1;
      numbers[to + 3] = present[2]!;
      numbers[to + 4] = present[3]!;
      count += 1;
      field = 0;
    }
    if (code === SEMICOLON) {
      line += 1;
      present[0] = 0;
    }
  }
  return { numbers, count };
}

function countMappings(mappings: string): number {
  let count = 1;
  for (let at = 0; at < mappings.length; at += 1) {
    const code = mappings.charCodeAt(at);
    if (code === COMMA || code === SEMICOLON) count += 1;
  }
  return count;
}
