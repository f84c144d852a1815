/** Problems of a text, by the service's own check. */
import type { ApiClient } from '../api/client';
import { Problem } from '../api/problem';
import type { Language } from '../api/run-query';
import type { Validated } from '../api/shapes';
import type { TextProblem } from './settings';

interface TextToCheck {
  readonly endpoint: string;
  readonly language: Language;
  readonly text: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** @returns none for a text that is valid, and none when the service cannot say: a run tells why */
export async function validateText(
  api: ApiClient,
  { endpoint, language, text, parameters }: TextToCheck,
  signal: AbortSignal
): Promise<readonly TextProblem[]> {
  if (text.trim() === '') return [];
  try {
    const body = { endpoint, [language]: text, parameters };
    const { warnings = [] } = await api.result<Validated>('/api/endpoints/validate', { method: 'POST', body, signal });
    return warnings.map(({ message, position, length }) => problemAt(text, 'warning', message, position, length));
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) return [];
    const { hint, position } = error.details;
    // A parameter that is missing is no problem of the text.
    if (position === undefined) return [];
    const message = hint === undefined ? error.message : `${error.message}\nHint: ${hint}`;
    return [problemAt(text, 'error', message, position)];
  }
}

export function problemAt(
  text: string,
  severity: TextProblem['severity'],
  message: string,
  position: { readonly line: number; readonly column: number } | undefined,
  length?: number
): TextProblem {
  const from = position === undefined ? 0 : offsetOf(text, position);
  const word = length ?? /^[\w.]+|^\S/.exec(text.slice(from))?.[0].length ?? 1;
  return { severity, message, from, to: Math.min(text.length, from + word) };
}

/** @param position 1-based, columns in UTF-16 code units */
export function offsetOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf('\n', start);
    if (next === -1) break;
    start = next + 1;
  }
  return Math.min(text.length, start + column - 1);
}
