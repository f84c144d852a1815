/** Unified diffs, as `diff -u` and git print them. */
import { printable } from '../../output/terminal';
import { diffLines, type LineEdit } from '#contract/lines/diff-lines';

export interface DiffSide {
  /** Name in the header. */
  readonly name: string;
  readonly text: string;
}

const CONTEXT_LINES = 3;
const [RED, GREEN, CYAN, BOLD, RESET] = ['\u001b[31m', '\u001b[32m', '\u001b[36m', '\u001b[1m', '\u001b[0m'];

/** @returns lines without the last line end; empty for equal texts */
export function formatDiff(before: DiffSide, after: DiffSide, hasColor: boolean): string {
  if (before.text === after.text) return '';
  const paint = (color: string, line: string): string => (hasColor ? `${color}${line}${RESET}` : line);
  const lines = [paint(BOLD, `--- ${printable(before.name)}`), paint(BOLD, `+++ ${printable(after.name)}`)];
  for (const hunk of hunksOf(diffLines(before.text, after.text))) {
    lines.push(paint(CYAN, headerOf(hunk)));
    for (const { kind, line } of hunk.edits) lines.push(...formatEdit(kind, line, paint));
  }
  return lines.join('\n');
}

function formatEdit(
  kind: LineEdit['kind'],
  line: string,
  paint: (color: string, line: string) => string
): readonly string[] {
  const text = printable(line.replace(/\n$/, ''));
  const end = line.endsWith('\n') ? [] : ['\\ No newline at end of file'];
  if (kind === 'same') return [` ${text}`, ...end];
  return [kind === 'added' ? paint(GREEN, `+${text}`) : paint(RED, `-${text}`), ...end];
}

interface Hunk {
  /** Lines before the hunk, in each text. */
  readonly startBefore: number;
  readonly startAfter: number;
  readonly edits: readonly LineEdit[];
}

function hunksOf(edits: readonly LineEdit[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [line, otherLine, at] = [0, 0, 0];
  const skipTo = (end: number): void => {
    for (; at < end; at += 1) {
      if (edits[at]!.kind !== 'added') line += 1;
      if (edits[at]!.kind !== 'removed') otherLine += 1;
    }
  };
  for (;;) {
    const first = nextChange(edits, at);
    if (first === -1) return hunks;
    let end = first + 1;
    for (let next = end; next !== -1 && next <= end + 2 * CONTEXT_LINES; next = nextChange(edits, end)) end = next + 1;
    const start = Math.max(at, first - CONTEXT_LINES);
    skipTo(start);
    const until = Math.min(edits.length, end + CONTEXT_LINES);
    hunks.push({ startBefore: line, startAfter: otherLine, edits: edits.slice(start, until) });
    skipTo(until);
  }
}

function nextChange(edits: readonly LineEdit[], from: number): number {
  for (let at = from; at < edits.length; at += 1) if (edits[at]!.kind !== 'same') return at;
  return -1;
}

function headerOf({ startBefore, startAfter, edits }: Hunk): string {
  const before = edits.filter(({ kind }) => kind !== 'added').length;
  const after = edits.filter(({ kind }) => kind !== 'removed').length;
  return `@@ -${range(startBefore, before)} +${range(startAfter, after)} @@`;
}

/** An empty range names the line before it. */
function range(start: number, length: number): string {
  const first = length === 0 ? start : start + 1;
  return length === 1 ? String(first) : `${first},${length}`;
}
