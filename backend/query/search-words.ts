/** What an LQL text looks for in messages, as regular expressions that a host marks in log lines. */
import type { QueryCall } from '../service-client/service-client';

/** Clauses: white space parts them, but not within quotes, nor within parentheses that are a value. */
const CLAUSE = /(?:"(?:\\.|[^"\\])*"|:\([^)]*\)|[^\s"])+/g;
const QUOTED = /^"((?:\\.|[^"\\])*)"$/;
/** More cost a browser time with each line. */
const MAX_WORDS = 20;

export function searchWords({ adhoc }: QueryCall): readonly string[] {
  if (adhoc?.language !== 'lql') return [];
  return (adhoc.text.match(CLAUSE) ?? []).flatMap((clause) => wordOf(clause) ?? []).slice(0, MAX_WORDS);
}

/** @returns undefined for a clause that is negated or no search in the message */
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
