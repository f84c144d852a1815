/** Rows of a comparison of two texts: lines, with the words of changed lines. */
import { diffLines, diffWords, type LineEdit } from '#contract/lines/diff-lines';

type Word = Pick<LineEdit, 'kind' | 'line'>;
export interface DiffRow {
  readonly kind: LineEdit['kind'] | 'gap';
  readonly words: readonly Word[];
  /** Lines that are left out. */
  readonly skipped: number;
}

const CONTEXT_LINES = 3;
/** Words of longer lines are not compared. */
const MAX_LINE = 2000;

export function diffRows(before: string, after: string): readonly DiffRow[] {
  const edits = diffLines(before, after);
  const rows: DiffRow[] = [];
  for (let at = 0; at < edits.length;) {
    const kind = edits[at]?.kind;
    const end = endOfRun(edits, at);
    if (kind === 'same') rows.push(...equalRows(edits.slice(at, end), at === 0, end === edits.length));
    else if (kind === 'removed' && edits[end]?.kind === 'added') {
      const next = endOfRun(edits, end);
      rows.push(...changedRows(edits.slice(at, end), edits.slice(end, next)));
      at = next;
      continue;
    } else rows.push(...edits.slice(at, end).map(plainRow));
    at = end;
  }
  return rows;
}

function endOfRun(edits: readonly LineEdit[], at: number): number {
  let end = at;
  while (end < edits.length && edits[end]?.kind === edits[at]?.kind) end += 1;
  return end;
}

const withoutEnd = (line: string): string => line.replace(/\n$/, '');
const plainRow = ({ kind, line }: LineEdit): DiffRow => ({
  kind,
  words: [{ kind: 'same', line: withoutEnd(line) }],
  skipped: 0,
});

function equalRows(edits: readonly LineEdit[], isFirst: boolean, isLast: boolean): readonly DiffRow[] {
  const head = isFirst ? 0 : CONTEXT_LINES;
  const tail = isLast ? 0 : CONTEXT_LINES;
  const skipped = edits.length - head - tail;
  if (skipped <= 1) return edits.map(plainRow);
  const gap: DiffRow = { kind: 'gap', words: [], skipped };
  return [...edits.slice(0, head).map(plainRow), gap, ...edits.slice(edits.length - tail).map(plainRow)];
}

/** Lines are compared with those in the same place. */
function changedRows(removed: readonly LineEdit[], added: readonly LineEdit[]): readonly DiffRow[] {
  const pairs = removed.map((edit, at) => {
    const other = added[at];
    if (other === undefined || edit.line.length + other.line.length > MAX_LINE) return null;
    const words = diffWords(withoutEnd(edit.line), withoutEnd(other.line));
    const same = words.filter(({ kind, line }) => kind === 'same' && line.trim() !== '').length;
    // Marks on every word say nothing.
    return same * 5 < words.length ? null : words;
  });
  const row = (edit: LineEdit, words: readonly Word[] | null | undefined): DiffRow =>
    words
      ? {
          kind: edit.kind,
          words: joined(words.filter(({ kind }) => kind === 'same' || kind === edit.kind)),
          skipped: 0,
        }
      : plainRow(edit);
  return [...removed.map((edit, at) => row(edit, pairs[at])), ...added.map((edit, at) => row(edit, pairs[at]))];
}

/** Words of one kind beside each other are one. */
function joined(words: readonly Word[]): readonly Word[] {
  const all: Word[] = [];
  for (const word of words) {
    const last = all[all.length - 1];
    if (last?.kind === word.kind) all[all.length - 1] = { ...last, line: last.line + word.line };
    else all.push(word);
  }
  return all;
}
