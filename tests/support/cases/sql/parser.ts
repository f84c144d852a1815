/** The cases of the SQL parser, as its tests need them. */
import { corpusFiles, corpusLines } from '../corpus';

/** Whole queries that are accepted. */
export const ACCEPTED: readonly (readonly [name: string, text: string])[] = corpusFiles('sql/parse/valid');

/** A query and its canonical text. */
export const CANONICAL: readonly (readonly [text: string, canonical: string])[] = pairs(
  corpusLines('sql/parse/canonical.txt')
);

/** Two expressions that are the same tree. */
export const SAME_TREE: readonly (readonly [one: string, other: string])[] = corpusLines('sql/parse/same-tree.txt').map(
  (line) => {
    const [one = '', other = ''] = line.split(' ≡ ');
    return [one, other];
  }
);

export interface Refusal {
  readonly text: string;
  readonly reason: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint: string | undefined;
}

export const REFUSALS: readonly Refusal[] = refusals(corpusLines('sql/parse/refused.txt'));

function pairs(lines: readonly string[]): (readonly [string, string])[] {
  return lines.flatMap((line, index) =>
    line.startsWith('=> ') ? [[lines[index - 1] ?? '', line.slice(3)] as const] : []
  );
}

function refusals(lines: readonly string[]): Refusal[] {
  const found: Refusal[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    const head = /^(\w+) (\d+):(\d+) (.+)$/.exec(line);
    if (head !== null) {
      const [, reason = '', row, column, message = ''] = head;
      found.push({ text: '', reason, line: Number(row), column: Number(column), message, hint: undefined });
    } else if (last !== undefined && line.startsWith('hint ')) {
      found[found.length - 1] = { ...last, hint: line.slice(5) };
    } else if (last !== undefined) {
      const text = line.slice(4);
      found[found.length - 1] = { ...last, text: last.text === '' ? text : `${last.text}\n${text}` };
    }
  }
  return found;
}
