/** Extracts the search terms of an LQL text as regular expressions, which Grafana highlights in log lines. */
import type { QueryCall } from '../service-client/service-client';

/** Matches one clause. Clauses are separated by white space outside of quotes and of parentheses that are a value. */
const CLAUSE = /(?:"(?:\\.|[^"\\])*"|:\([^)]*\)|[^\s"])+/g;
const QUOTED = /^"((?:\\.|[^"\\])*)"$/;
/** More terms would slow the browser with every line. */
const MAX_WORDS = 20;

export function searchWords({ adhoc }: QueryCall): readonly string[] {
  if (adhoc?.language !== 'lql') return [];
  return (adhoc.text.match(CLAUSE) ?? []).flatMap((clause) => wordOf(clause) ?? []).slice(0, MAX_WORDS);
}

/** @returns undefined for a clause that is negated or does not search the message */
function wordOf(clause: string): string | undefined {
  if (clause.startsWith('-') || isField(clause)) return undefined;
  if (clause.startsWith('~')) return unquoted(clause.slice(1));
  return unquoted(clause).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function isField(clause: string): boolean {
  return /^[\w.]+(?:"[^"]*"[\w.]*)*:/.test(clause);
}

function unquoted(text: string): string {
  const inner = QUOTED.exec(text)?.[1];
  return (inner ?? text).replace(/\\(["\\])/g, '$1');
}
