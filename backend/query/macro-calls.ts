/** Finds the macros `$__timeFilter` and `$__timeGroup` in a text, with their arguments. */

export interface MacroCall {
  readonly name: 'timeFilter' | 'timeGroup';
  /** The text between the parentheses; empty without any. */
  readonly given: string;
  readonly start: number;
  readonly end: number;
}

export function macroCalls(text: string): MacroCall[] {
  const closings = closingsOf(text);
  const calls: MacroCall[] = [];
  for (const { 0: found, 1: name, 2: blanks = '', index } of text.matchAll(/\$__(timeFilter|timeGroup)\b(\s*)/g)) {
    if (index < (calls.at(-1)?.end ?? 0)) continue;
    const open = index + found.length;
    const close = closings.get(open);
    const given = close === undefined ? '' : text.slice(open + 1, close).trim();
    const end = close === undefined ? open - blanks.length : close + 1;
    calls.push({ name: name as MacroCall['name'], given, start: index, end });
  }
  return calls;
}

/** Positions of closing parentheses by those of the opening ones; without those that have no counterpart. */
function closingsOf(text: string): ReadonlyMap<number, number> {
  const open: number[] = [];
  const closings = new Map<number, number>();
  for (const { 0: parenthesis, index } of text.matchAll(/[()]/g)) {
    if (parenthesis === '(') open.push(index);
    else if (open.length > 0) closings.set(open.pop()!, index);
  }
  return closings;
}

/** Splits at top-level commas: an argument may have calls. */
export function splitArguments(given: string): string[] {
  if (given === '') return [];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: sign, index } of given.matchAll(/[(),]/g)) {
    if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    else if (depth === 0) {
      parts.push(given.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, given.slice(start).trim()];
}
