/**
 * JSON of constants in the form of the JSON type: no blanks, keys sorted, the first of equal keys, numbers as FLOAT64
 * writes them unless they are integers of 64 bits.
 */
import { parseJsonString } from '#contract/json-string';

const MAX_DEPTH = 500;
const TOKEN =
  /[ \t\r\n]*(?:([[\]{}:,])|("(?:[^"\\]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;
const BLANKS = /[ \t\r\n]*$/y;

/** JSON in normal form; undefined if the text is not JSON, too deep, or has a number that FLOAT64 does not hold. */
export function normalJson(text: string): string | undefined {
  try {
    const reader = new Reader(text);
    const value = reader.value(0);
    return reader.atEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

class NotJson extends Error {}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): string {
    if (depth > MAX_DEPTH) throw new NotJson();
    const token = this.next();
    if (token === '[') return `[${this.items(']', () => this.value(depth + 1)).join(',')}]`;
    if (token === '{') return this.members(depth);
    if (token.startsWith('"')) return stringText(token);
    if (/^[-\d]/.test(token)) return numberText(token);
    if (/^[tfn]/.test(token)) return token;
    throw new NotJson();
  }

  atEnd(): boolean {
    BLANKS.lastIndex = this.at;
    return BLANKS.test(this.text);
  }

  private members(depth: number): string {
    const members = new Map<string, string>();
    this.items('}', () => {
      const key = this.next();
      if (!key.startsWith('"') || this.next() !== ':') throw new NotJson();
      const value = this.value(depth + 1);
      const name = stringText(key);
      if (!members.has(name)) members.set(name, value);
    });
    const sorted = [...members].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `{${sorted.map(([name, value]) => `${name}:${value}`).join(',')}}`;
  }

  private items<T>(end: ']' | '}', read: () => T): readonly T[] {
    const items: T[] = [];
    const start = this.at;
    if (this.next() === end) return items;
    this.at = start;
    for (;;) {
      items.push(read());
      const separator = this.next();
      if (separator === end) return items;
      if (separator !== ',') throw new NotJson();
    }
  }

  private next(): string {
    TOKEN.lastIndex = this.at;
    const match = TOKEN.exec(this.text);
    if (match === null) throw new NotJson();
    this.at = TOKEN.lastIndex;
    return match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
  }
}

function stringText(token: string): string {
  let value: string;
  try {
    value = parseJsonString(token);
  } catch {
    throw new NotJson();
  }
  if (!value.isWellFormed()) throw new NotJson();
  return JSON.stringify(value);
}

function numberText(token: string): string {
  if (/^-?\d+$/.test(token)) {
    if (token.length > 20) throw new NotJson();
    const whole = BigInt(token);
    if (whole < -(2n ** 63n) || whole >= 2n ** 64n) throw new NotJson();
    return whole.toString();
  }
  const value = Number(token);
  if (!Number.isFinite(value) || digitsOf(token) !== digitsOf(String(value))) throw new NotJson();
  return floatText(value);
}

/** Significant digits. */
function digitsOf(number: string): string {
  return number
    .replace(/[eE].*/, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
}

/** Shortest digits; an exponent of at least two digits below 1e-4 and from 1e15 on. */
function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  if (value === 0) return '0.0';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 15) {
    const digits = mantissa.replace(/\D/g, '');
    const sign = value < 0 ? '-' : '';
    if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
    const padded = digits.padEnd(power + 1, '0');
    return `${sign}${padded.slice(0, power + 1)}.${padded.slice(power + 1) || '0'}`;
  }
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
