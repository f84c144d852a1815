/** Extracts the search terms of an LQL text as regular expressions, which Grafana highlights in log lines. */
import { type LqlWord, readLqlWords } from '#compiler/browser';
import type { QueryCall } from '../service-client/service-client';

/** More terms would slow the browser with every line. */
const MAX_WORDS = 20;
/** Longer texts are no searches, and reading them takes longer than their length says. */
const MAX_TEXT_LENGTH = 8_192;

export function searchWords({ adhoc }: QueryCall): readonly string[] {
  if (adhoc?.language !== 'lql' || adhoc.text.length > MAX_TEXT_LENGTH) return [];
  return readLqlWords(adhoc.text)
    .flatMap((word) => patternOf(word) || [])
    .slice(0, MAX_WORDS);
}

/** @returns undefined for a clause that is negated or does not search the message */
function patternOf({ isNegated, path, keyword, value, quoted }: LqlWord): string | undefined {
  if (isNegated || keyword !== undefined || path.length > 0) return undefined;
  if (value.startsWith('~')) return unquoted(value.slice(1));
  return (quoted ?? unquoted(value)).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function unquoted(text: string): string {
  return readLqlWords(text)[0]?.quoted ?? text.replace(/\\"/g, '"');
}
