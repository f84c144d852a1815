/**
 * Merge of two changes of one text by lines: what only one side changed is taken from it, lines that both changed stay
 * between marks.
 */
import { diffLines, splitLines } from './diff-lines';

export interface Merged {
  readonly text: string;
  readonly hasConflicts: boolean;
}

/** Lines `[start, end)` of the base become `lines`. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** @param names of the two sides, for the marks */
export function mergeLines(
  base: string,
  ours: string,
  theirs: string,
  names: { readonly ours: string; readonly theirs: string }
): Merged {
  const lines = splitLines(base);
  const [left, right] = [hunksOf(base, ours), hunksOf(base, theirs)];
  const merged: string[] = [];
  let hasConflicts = false;
  let [at, leftAt, rightAt] = [0, 0, 0];
  while (leftAt < left.length || rightAt < right.length) {
    const start = Math.min(left[leftAt]?.start ?? Infinity, right[rightAt]?.start ?? Infinity);
    let end = start;
    const [leftFrom, rightFrom] = [leftAt, rightAt];
    // Changes that touch each other belong together.
    for (let isGrowing = true; isGrowing;) {
      isGrowing = false;
      for (; leftAt < left.length && left[leftAt]!.start <= end; leftAt += 1, isGrowing = true)
        end = Math.max(end, left[leftAt]!.end);
      for (; rightAt < right.length && right[rightAt]!.start <= end; rightAt += 1, isGrowing = true)
        end = Math.max(end, right[rightAt]!.end);
    }
    merged.push(...lines.slice(at, start));
    const ourLines = applied(lines, start, end, left.slice(leftFrom, leftAt));
    const theirLines = applied(lines, start, end, right.slice(rightFrom, rightAt));
    const isSame = ourLines.join('') === theirLines.join('');
    if (rightAt === rightFrom || isSame) merged.push(...ourLines);
    else if (leftAt === leftFrom) merged.push(...theirLines);
    else {
      hasConflicts = true;
      const block = [`<<<<<<< ${names.ours}`, ...ourLines, '=======', ...theirLines, `>>>>>>> ${names.theirs}`];
      merged.push(...block.map((line) => (line.endsWith('\n') ? line : `${line}\n`)));
    }
    at = end;
  }
  return { text: [...merged, ...lines.slice(at)].join(''), hasConflicts };
}

function hunksOf(base: string, changed: string): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [at, start] = [0, 0];
  let lines: string[] = [];
  const close = (): void => {
    if (at > start || lines.length > 0) hunks.push({ start, end: at, lines });
    lines = [];
  };
  for (const { kind, line } of diffLines(base, changed)) {
    if (kind === 'same') {
      close();
      at += 1;
      start = at;
    } else if (kind === 'removed') at += 1;
    else lines.push(line);
  }
  close();
  return hunks;
}

/** Lines `[start, end)` of the base after the changes of one side. */
function applied(base: readonly string[], start: number, end: number, hunks: readonly Hunk[]): readonly string[] {
  const lines: string[] = [];
  let at = start;
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.start), ...hunk.lines);
    at = hunk.end;
  }
  return [...lines, ...base.slice(at, end)];
}
