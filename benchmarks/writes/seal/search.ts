/** Searches over sealed days, with and without search filters, in turns. */
import type { CompiledQuery } from '#compiler/output/compiled-query';
import type { LogStore } from '#server/stores/store';
import { PROJECT } from '../../support/settings';
import { summarize } from '../../support/statistics';

export interface SearchFigures {
  readonly name: string;
  readonly withMs: number;
  readonly withoutMs: number;
  /** Share of the time that the search takes without filters. */
  readonly bar: number;
}

interface Search {
  readonly name: string;
  readonly where: string;
  readonly bar: number;
}

const RUNS = 15;
/** A rare text must pay, any other must not cost. */
const RARE_BAR = 0.5;
const COMMON_BAR = 1.05;
const signal = new AbortController().signal;

/** @param compiled compiles a query. @param before a time within sealed days */
export async function measureSearches(
  store: LogStore,
  compiled: (sql: string) => CompiledQuery,
  before: string
): Promise<readonly SearchFigures[]> {
  const word = await rareWord(store, compiled, before);
  const figures: SearchFigures[] = [];
  for (const { name, where, bar } of searches(word)) {
    const query = compiled(
      `SELECT id, timestamp, event_message FROM edge_requests WHERE ${where} ORDER BY timestamp DESC LIMIT 100`
    );
    const plain = { ...query, search: () => null };
    const times: [number[], number[]] = [[], []];
    const rows = new Set<string>();
    for (let run = 0; run < RUNS; run++) {
      for (const [i, one] of [query, plain].entries()) {
        const since = process.cpuUsage();
        const { columns } = await store.execute(one, signal);
        const { user, system } = process.cpuUsage(since);
        times[i]!.push((user + system) / 1000);
        rows.add(JSON.stringify(columns, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
      }
    }
    if (rows.size > 1) throw new Error(`"${name}" has other rows with search filters`);
    const [withMs, withoutMs] = times.map((each) => summarize(each).medianMs) as [number, number];
    figures.push({ name, withMs, withoutMs, bar });
  }
  return figures;
}

function searches(word: string): readonly Search[] {
  const like = (text: string): string => `event_message LIKE '%${text}%'`;
  return [
    { name: 'a rare word', where: like(word), bar: RARE_BAR },
    { name: 'a rare piece of a word', where: like(word.slice(2, -2)), bar: RARE_BAR },
    {
      name: 'a rare word in any case',
      where: `CONTAINS_SUBSTR(event_message, '${word.toUpperCase()}')`,
      bar: RARE_BAR,
    },
    {
      name: 'a rare pattern',
      where: `REGEXP_CONTAINS(event_message, r'(${word}|no-such-word) .*orders')`,
      bar: RARE_BAR,
    },
    { name: 'a word of no event', where: like('ECONNRESET'), bar: RARE_BAR },
    { name: 'a common word', where: like('storage/v1/object'), bar: COMMON_BAR },
    { name: 'a rare word, large project', where: `project = '${PROJECT}' AND ${like(word)}`, bar: RARE_BAR },
  ];
}

/** The ray of the newest event before the given time. */
async function rareWord(store: LogStore, compiled: (sql: string) => CompiledQuery, before: string): Promise<string> {
  const sql = `SELECT event_message FROM edge_requests WHERE timestamp < TIMESTAMP '${before}' ORDER BY timestamp DESC LIMIT 1`;
  const { columns } = await store.execute(compiled(sql), signal);
  const ray = / \| ([0-9a-f]{12,}) \| /.exec(String(columns[0]![0]))?.[1];
  if (ray === undefined) throw new Error('no ray in the newest message');
  return ray;
}
