/** Converts validation errors to editor markers. Lines and columns are 1-based, columns in UTF-16 code units. */
import type { ValidateResource } from '#contract/plugin/resources';
import { formatProblem } from './format-problem';

export interface Marker {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly startLineNumber: number;
  readonly startColumn: number;
  readonly endLineNumber: number;
  readonly endColumn: number;
}

/**
 * Variables and macros are replaced before the service sees the text, so columns may not match: a line that contains
 * one is underlined as a whole.
 */
export function markersOf(text: string, answer: ValidateResource): readonly Marker[] {
  if (answer.valid)
    return (answer.result.warnings ?? []).map(({ message, position, length }) =>
      marker(text, 'warning', message, position, length)
    );
  const { message, hint, position } = answer.error;
  return [marker(text, 'error', formatProblem({ message, hint }), position)];
}

function marker(
  text: string,
  severity: Marker['severity'],
  message: string,
  position?: { readonly line: number; readonly column: number },
  length?: number
): Marker {
  const lines = text.split('\n');
  const lineNumber = Math.min(position?.line ?? 1, lines.length);
  const line = lines[lineNumber - 1] ?? '';
  const place = { severity, message, startLineNumber: lineNumber, endLineNumber: lineNumber };
  if (!position || /\$|\[\[/.test(line)) return { ...place, startColumn: 1, endColumn: line.length + 1 };
  const rest = line.slice(position.column - 1);
  const word = length ?? /^[\w.]+|^\S/.exec(rest)?.[0].length ?? 1;
  return { ...place, startColumn: position.column, endColumn: position.column + Math.max(word, 1) };
}
