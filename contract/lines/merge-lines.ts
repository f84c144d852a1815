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

/** A piece of a merge. Texts are whole lines. */
export type MergePart =
  | { readonly kind: 'agreed'; readonly text: string }
  /** Both sides changed these lines, each to another text. */
  | { readonly kind: 'conflict'; readonly base: string; readonly ours: string; readonly theirs: string };

/** @param names of the two sides, for the marks */
export function mergeLines(
  base: string,
  ours: string,
  theirs: string,
  names: { readonly ours: string; readonly theirs: string }
): Merged {
  const parts = mergeParts(base, ours, theirs);
  const text = parts.map((part) => (part.kind === 'agreed' ? part.text : marked(part, names))).join('');
  return { text, hasConflicts: parts.some(({ kind }) => kind === 'conflict') };
}

function marked(
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
  names: { readonly ours: string; readonly theirs: string }
): string {
  const block = [
    `<<<<<<< ${names.ours}`,
    ...splitLines(ours),
    '=======',
    ...splitLines(theirs),
    `>>>>>>> ${names.theirs}`,
  ];
  return block.map((line) => (line.endsWith('\n') ? line : `${line}\n`)).join('');
}

export function mergeParts(base: string, ours: string, theirs: string): readonly MergePart[] {
  const lines = splitLines(base);
  const [left, right] = [hunksOf(base, ours), hunksOf(base, theirs)];
  const parts: MergePart[] = [];
  const agree = (text: string): void => {
    if (text !== '') parts.push({ kind: 'agreed', text });
  };
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
    agree(lines.slice(at, start).join(''));
    const ourText = applied(lines, start, end, left.slice(leftFrom, leftAt));
    const theirText = applied(lines, start, end, right.slice(rightFrom, rightAt));
    if (rightAt === rightFrom || ourText === theirText) agree(ourText);
    else if (leftAt === leftFrom) agree(theirText);
    else parts.push({ kind: 'conflict', base: lines.slice(start, end).join(''), ours: ourText, theirs: theirText });
    at = end;
  }
  agree(lines.slice(at).join(''));
  return parts;
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
function applied(base: readonly string[], start: number, end: number, hunks: readonly Hunk[]): string {
  const lines: string[] = [];
  let at = start;
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.start), ...hunk.lines);
    at = hunk.end;
  }
  return [...lines, ...base.slice(at, end)].join('');
}
