/**
 * Joins the WITH queries of a saved query with ad-hoc SQL as its final SELECT: what the sandbox does with syntax trees,
 * as a text that a definition can have.
 */
import { outermost } from './outermost';
import type { TemplateToken } from './template-token';
import { tokenizeTemplate } from './tokenize-template';

/** The joined text, or why there is none: a text without such parts, or a name that both define. */
export type JoinedStatements =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: string; readonly hint?: string };

export function joinStatements(definition: string, adhoc: string): JoinedStatements {
  const ours = splitStatement(definition);
  const theirs = splitStatement(withoutEnd(adhoc));
  if (!ours || ours.names.length === 0)
    return { text: null, problem: 'The saved query has no named tables that a text could read.' };
  if (!theirs) return { text: null, problem: 'The text is not one SELECT, with or without WITH.' };
  const known = new Set(ours.names.map((name) => name.toLowerCase()));
  const twice = theirs.names.find((name) => known.has(name.toLowerCase()));
  if (twice !== undefined)
    return {
      text: null,
      problem: `The text names a table "${twice}" in its WITH, and so does the saved query whose tables it reads.`,
      hint: 'give the table in the text another name',
    };
  const more = theirs.queries === '' ? '' : `,\n${theirs.queries.trimEnd()}`;
  return { text: `${ours.head}${more}\n${theirs.final.trim()}\n`, problem: null };
}

interface Split {
  /** From WITH to the last WITH query; empty without WITH. */
  readonly head: string;
  /** The WITH queries without the word. */
  readonly queries: string;
  readonly names: readonly string[];
  /** The rest: comments before SELECT, and the SELECT. */
  readonly final: string;
}

/** @returns undefined for a text that does not begin with SELECT, WITH or a parenthesis */
function splitStatement(text: string): Split | undefined {
  const tokens = outermost(tokenizeTemplate(text));
  const [first] = tokens;
  if (first?.symbol === 'SELECT' || first?.symbol === '(') return { head: '', queries: '', names: [], final: text };
  if (first?.symbol !== 'WITH') return undefined;
  const names: string[] = [];
  let at = 1;
  for (;;) {
    const name = tokens[at];
    if (!isName(name) || tokens[at + 1]?.symbol !== 'AS' || tokens[at + 2]?.symbol !== '(') return undefined;
    if (tokens[at + 3]?.symbol !== ')') return undefined;
    names.push(name.value);
    const { end } = tokens[at + 3]!;
    if (tokens[at + 4]?.symbol !== ',') {
      if (tokens[at + 4] === undefined) return undefined;
      return { head: text.slice(0, end), queries: text.slice(first.end, end), names, final: text.slice(end) };
    }
    at += 5;
  }
}

function isName(token: TemplateToken | undefined): token is TemplateToken {
  return token?.kind === 'word' || token?.kind === 'name';
}

/** Without the semicolon at the end, and what is after it. */
function withoutEnd(text: string): string {
  const tokens = tokenizeTemplate(text).filter(({ kind }) => kind !== 'comment');
  const last = tokens[tokens.length - 1];
  return last?.symbol === ';' ? text.slice(0, last.offset) : text;
}
