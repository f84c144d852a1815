/** Line diffs: properties of the script, the printed form, and merges. */
import fc from 'fast-check';
import { diffLines, splitLines } from '#contract/lines/diff-lines';
import { formatDiff } from '#server/cli/endpoints/diff/format-diff';
import { mergeLines } from '#contract/lines/merge-lines';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd: 1\r\n');
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('', 'a', 'end'))
  .map(([lines, last]) => lines.join('') + last);

function side(script: ReturnType<typeof diffLines>, left: 'removed' | 'added'): string {
  return script
    .filter(({ kind }) => kind === 'same' || kind === left)
    .map((edit) => edit.line)
    .join('');
}

/** Length of the longest common subsequence, by the textbook table. */
function commonLines(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let x = a.length - 1; x >= 0; x -= 1)
    for (let y = b.length - 1; y >= 0; y -= 1)
      table[x]![y] = a[x] === b[y] ? table[x + 1]![y + 1]! + 1 : Math.max(table[x + 1]![y]!, table[x]![y + 1]!);
  return table[0]![0]!;
}

describe('the script of a diff', () => {
  it('contains both texts, in order', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const script = diffLines(before, after);
        expect(side(script, 'removed')).toBe(before);
        expect(side(script, 'added')).toBe(after);
      })
    );
  });

  it('is as short as possible', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const kept = diffLines(before, after).filter(({ kind }) => kind === 'same').length;
        expect(kept).toBe(commonLines(splitLines(before), splitLines(after)));
      })
    );
  });

  it('of long texts with nothing in common replaces all lines between their common ends', () => {
    const lines = (letter: string): string => Array.from({ length: 20_000 }, (_, at) => `${letter}${at}\n`).join('');
    const script = diffLines(`first\n${lines('a')}last`, `first\n${lines('b')}last`);
    expect(script).toHaveLength(40_002);
    expect([script[0]!.kind, script[1]!.kind, script[40_000]!.kind, script[40_001]!.kind]).toEqual([
      'same',
      'removed',
      'added',
      'same',
    ]);
  });
});

describe('the printed diff', () => {
  const print = (before: string, after: string, hasColor = false): string =>
    formatDiff({ name: 'old', text: before }, { name: 'new', text: after }, hasColor);

  it('has three lines of context, and one hunk for changes that are close', () => {
    const before = Array.from({ length: 20 }, (_, at) => `${at + 1}\n`).join('');
    const after = before.replace('3\n', 'three\n').replace('9\n', '').replace('20\n', '20\nnew\n');
    expect(print(before, after)).toBe(
      [
        ...['--- old', '+++ new', '@@ -1,12 +1,11 @@', ' 1', ' 2', '-3', '+three', ' 4', ' 5', ' 6', ' 7', ' 8', '-9'],
        ...[' 10', ' 11', ' 12', '@@ -18,3 +17,4 @@', ' 18', ' 19', ' 20', '+new'],
      ].join('\n')
    );
  });

  it('says where a last line has no line end', () => {
    expect(print('a\nb', 'a\nb\n')).toBe(
      ['--- old', '+++ new', '@@ -1,2 +1,2 @@', ' a', '-b', '\\ No newline at end of file', '+b'].join('\n')
    );
    expect(print('', 'a\n')).toContain('@@ -0,0 +1 @@');
  });

  it('is empty for equal texts', () => {
    expect(print('a\n', 'a\n')).toBe('');
  });

  it('shows control characters instead of sending them to a terminal', () => {
    expect(print('', '\u001b[2J\u0007\r\n')).toContain('+\\x1b[2J\\x07\\r');
    expect(print('', 'a\n', true)).toContain('\u001b[32m+a\u001b[0m');
  });

  it('can be applied: its hunks describe the new text', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applyPatch(before, print(before, after))).toBe(after.replace(/\r/g, '\\r'));
      })
    );
  });
});

/** Applies a unified diff as `patch` does, by the numbers of its headers. Lines are compared as they are printed. */
function applyPatch(before: string, patch: string): string {
  const lines = splitLines(before.replace(/\r/g, '\\r'));
  const result: string[] = [];
  let at = 0;
  const rows = patch.split('\n').slice(2);
  rows.forEach((row, index) => {
    const header = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$/.exec(row);
    const end = rows[index + 1]?.startsWith('\\') ? '' : '\n';
    if (header) {
      const start = Number(header[1]) - (header[2] === '0' ? 0 : 1);
      while (at < start) result.push(lines[at++]!);
    } else if (row.startsWith('+')) result.push(row.slice(1) + end);
    else if (row.startsWith(' ') || row.startsWith('-')) {
      if (lines[at] !== row.slice(1) + end) throw new Error(`line ${at + 1} differs: ${row}`);
      if (row.startsWith(' ')) result.push(lines[at]!);
      at += 1;
    }
  });
  return [...result, ...lines.slice(at)].join('');
}

describe('a merge', () => {
  const names = { ours: 'yours', theirs: 'revision 2' };

  it('takes what only one side changed from it', () => {
    const base = 'name: a\ncache: 1\nquery: |\n  select 1\n';
    const merged = mergeLines(
      base,
      base.replace('select 1', 'select 2'),
      base.replace('cache: 1', 'cache: 9\nmax: 3'),
      names
    );
    expect(merged).toEqual({ text: 'name: a\ncache: 9\nmax: 3\nquery: |\n  select 2\n', hasConflicts: false });
  });

  it('marks lines that both changed', () => {
    expect(mergeLines('a\nb\nc\n', 'a\nours\nc\n', 'a\ntheirs\nc', names)).toEqual({
      text: 'a\n<<<<<<< yours\nours\nc\n=======\ntheirs\nc\n>>>>>>> revision 2\n',
      hasConflicts: true,
    });
  });

  it('of one change is that change, and of equal changes too', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        for (const [ours, theirs] of [
          [changed, base],
          [base, changed],
          [changed, changed],
        ] as const)
          expect(mergeLines(base, ours, theirs, names)).toEqual({ text: changed, hasConflicts: false });
      })
    );
  });

  it('loses no line that one side added', () => {
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        const merged = splitLines(mergeLines(base, ours, theirs, names).text).map((each) => each.trimEnd());
        const added = [...diffLines(base, ours), ...diffLines(base, theirs)].filter(({ kind }) => kind === 'added');
        for (const edit of added) expect(merged).toContain(edit.line.trimEnd());
      })
    );
  });
});
