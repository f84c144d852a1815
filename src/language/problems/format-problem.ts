import { asSentence } from '#contract/as-sentence';
import type { ResourceError } from '#contract/plugin/resources';

/** Formats an error as sentences: the error, its position, and a hint. */
export function formatProblem({
  message,
  position,
  hint,
}: Pick<ResourceError, 'message' | 'position' | 'hint'>): string {
  const where = position ? `Line ${position.line}, column ${position.column}` : undefined;
  return [message, where, hint]
    .filter((part): part is string => part !== undefined && part !== '')
    .map(asSentence)
    .join(' ');
}
