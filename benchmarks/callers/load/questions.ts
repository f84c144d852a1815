/** What the callers ask, and how often. */
import { SAMPLE_PROJECTS } from '#server/cli/sample-data/scenario/projects';
import type { Service } from '../../support/service';

export type Kind = 'hit' | 'miss' | 'ad-hoc' | 'ingest';

export interface PreparedQuestion {
  readonly kind: Exclude<Kind, 'ingest'>;
  readonly path: string;
  /** The bytes it gave without other callers. */
  readonly expected: string;
}

/** Calls of each kind among a hundred. */
const SHARES: readonly (readonly [Kind, number])[] = [
  ['hit', 70],
  ['miss', 15],
  ['ad-hoc', 10],
  ['ingest', 5],
];

const PROJECTS = SAMPLE_PROJECTS.slice(0, 5).map(({ ref }) => ref);

/** @param startMicros the time bounds of the misses lie after it */
export async function prepareQuestions(
  { client }: Pick<Service, 'client'>,
  startMicros: number
): Promise<readonly PreparedQuestion[]> {
  const prepared: PreparedQuestion[] = [];
  for (const { kind, path } of paths(startMicros)) {
    await client.get(path, { fromCache: true });
    const { status, headers, body } = await client.get(path, { fromCache: true });
    if (status !== 200) throw new Error(`load: ${path} answered ${status}`);
    if (kind === 'hit' && !/; hit/.test(String(headers['cache-status'])))
      throw new Error(`load: ${path} is not cached`);
    prepared.push({ kind, path, expected: body.toString('utf8') });
  }
  return prepared;
}

export function nextKind(): Kind {
  let rest = Math.random() * 100;
  for (const [kind, share] of SHARES) if ((rest -= share) < 0) return kind;
  return 'hit';
}

function paths(startMicros: number): { kind: PreparedQuestion['kind']; path: string }[] {
  return PROJECTS.flatMap((project) => [
    { kind: 'hit' as const, path: call('usage.api-counts', { interval: 'daily', project }) },
    ...[0, 1, 2, 3].map((day) => ({
      kind: 'miss' as const,
      path: call('logs.all', {
        project,
        iso_timestamp_start: new Date(startMicros / 1000 + day * 86_400_000).toISOString(),
      }),
    })),
    {
      kind: 'ad-hoc' as const,
      path: call('logs.all', {
        project,
        sql:
          'select rs.status_code as status, count(*) as n from edge_logs cross join unnest(metadata) as m ' +
          'cross join unnest(m.response) as rs group by status order by status',
      }),
    },
  ]);
}

function call(name: string, parameters: Record<string, string>): string {
  return `/api/endpoints/query/${name}?${new URLSearchParams(parameters).toString()}`;
}
