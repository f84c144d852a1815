/**
 * Cross-check of a saved query: an independent parser must find the same tables in the canonical text as our resolver.
 * Reads trusted text only; texts that it cannot parse are not checked.
 */
import { Parser } from 'node-sql-parser/build/bigquery';
import { ServiceError } from '#contract/errors';
import type { ResolvedStatement } from '../resolve/resolve-statement';

/** @throws ServiceError `definition_invalid` when the parsers disagree */
export function crossCheck(canonical: string, statement: ResolvedStatement): void {
  const theirs = tablesOf(canonical);
  if (theirs === undefined) return;
  const names = new Set(statement.resolution.input.catalog.sources.flatMap(({ name, aliases }) => [name, ...aliases]));
  const ours = new Set(statement.resolution.sourceMentions);
  const theirSources = new Set([...theirs].filter((name) => names.has(name)));
  const odd = [...theirSources].find((name) => !ours.has(name)) ?? [...ours].find((name) => !theirs.has(name));
  if (odd === undefined) return;
  throw new ServiceError(
    'definition_invalid',
    `Two parsers disagree about whether this query reads the table "${odd}".`,
    {
      reason: 'second_reading',
      name: odd,
      hint: 'write the query in simpler clauses',
    }
  );
}

function tablesOf(canonical: string): ReadonlySet<string> | undefined {
  try {
    // Entries are `select::database::table`; a quoted name with dots may be split between the last two.
    const list = new Parser().tableList(canonical, { database: 'bigquery' });
    return new Set(
      list.map((entry) =>
        entry
          .split('::')
          .slice(1)
          .filter((part) => part !== 'null')
          .join('.')
          .replaceAll('`', '')
      )
    );
  } catch {
    return undefined;
  }
}
