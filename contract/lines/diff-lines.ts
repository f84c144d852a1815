/**
 * Differences of two texts by lines, and of two lines by words: the shortest script of removed and added lines (E.
 * Myers, "An O(ND) difference algorithm and its variations", 1986). Texts that differ in more than `MAX_EDITS` lines
 * are shown as replaced between their common beginning and end, which bounds time and memory.
 */

export interface LineEdit {
  readonly kind: 'same' | 'removed' | 'added';
  /** The line with its line end, if it has one. */
  readonly line: string;
}

const MAX_EDITS = 2000;

export function diffLines(before: string, after: string): readonly LineEdit[] {
  const [a, b] = [splitLines(before), splitLines(after)];
  const start = commonLength(a.length, b.length, (at) => a[at] === b[at]);
  const rest = [a.length - start, b.length - start] as const;
  const end = commonLength(...rest, (at) => a[a.length - 1 - at] === b[b.length - 1 - at]);
  const removed = a.slice(start, a.length - end);
  const added = b.slice(start, b.length - end);
  return [
    ...edits('same', a.slice(0, start)),
    ...(shortestScript(removed, added) ?? [...edits('removed', removed), ...edits('added', added)]),
    ...edits('same', a.slice(a.length - end)),
  ];
}

/** Differences of two lines: words, runs of blanks and single other characters, which are the `line` of each edit. */
export function diffWords(before: string, after: string): readonly LineEdit[] {
  const [a, b] = [before.match(WORD) ?? [], after.match(WORD) ?? []];
  return shortestScript(a, b) ?? [...edits('removed', a), ...edits('added', b)];
}

const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Lines with their line ends; an empty text has none. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function edits(kind: LineEdit['kind'], lines: readonly string[]): readonly LineEdit[] {
  return lines.map((line) => ({ kind, line }));
}

function commonLength(lengthA: number, lengthB: number, isSame: (at: number) => boolean): number {
  let length = 0;
  while (length < lengthA && length < lengthB && isSame(length)) length += 1;
  return length;
}

/** @returns null when the script has more than `MAX_EDITS` edits */
function shortestScript(a: readonly string[], b: readonly string[]): readonly LineEdit[] | null {
  const max = Math.min(a.length + b.length, MAX_EDITS);
  /** For each diagonal `x - y`: the furthest `x` reached. */
  const reached = new Int32Array(2 * max + 3);
  const at = (diagonal: number): number => diagonal + max + 1;
  /** `reached` before each number of edits, only the diagonals that were in use. */
  const steps: Int32Array[] = [];
  for (let count = 0; count <= max; count += 1) {
    steps.push(reached.slice(at(-count), at(count) + 1));
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      const isDown = goesDown(diagonal, count, (each) => reached[at(each)]!);
      let x = isDown ? reached[at(diagonal + 1)]! : reached[at(diagonal - 1)]! + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reached[at(diagonal)] = x;
      if (x >= a.length && x - diagonal >= b.length) return trace(a, b, steps);
    }
  }
  return null;
}

/** Whether the furthest path to a diagonal comes from an added line. */
function goesDown(diagonal: number, count: number, reached: (diagonal: number) => number): boolean {
  return diagonal === -count || (diagonal !== count && reached(diagonal - 1) < reached(diagonal + 1));
}

function trace(a: readonly string[], b: readonly string[], steps: readonly Int32Array[]): readonly LineEdit[] {
  const script: LineEdit[] = [];
  let [x, y] = [a.length, b.length];
  for (let count = steps.length - 1; count > 0; count -= 1) {
    const reached = (each: number): number => steps[count]![each + count]!;
    const diagonal = x - y;
    const isDown = goesDown(diagonal, count, reached);
    const from = isDown ? reached(diagonal + 1) : reached(diagonal - 1);
    const fromY = from - (isDown ? diagonal + 1 : diagonal - 1);
    while (x > from + (isDown ? 0 : 1) && y > fromY + (isDown ? 1 : 0)) {
      x -= 1;
      y -= 1;
      script.push({ kind: 'same', line: a[x]! });
    }
    if (isDown) {
      y -= 1;
      script.push({ kind: 'added', line: b[y]! });
    } else {
      x -= 1;
      script.push({ kind: 'removed', line: a[x]! });
    }
  }
  while (x > 0) {
    x -= 1;
    script.push({ kind: 'same', line: a[x]! });
  }
  return script.reverse();
}
