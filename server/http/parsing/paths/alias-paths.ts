/** Recognizes request targets of aliases whose clients show `message` of an error. */
import { ALIASES, type Alias } from '#contract/routes/aliases';

const ALL: readonly Alias[] = ALIASES;
const PATTERNS = ALL.filter(({ hasTopLevelMessage }) => hasTopLevelMessage).map(
  ({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`)
);

/** @param target as in the request line */
export function showsTopLevelMessage(target: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(target));
}
