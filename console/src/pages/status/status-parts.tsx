/** Version, store, memory, disk, cache and queues. */
import type { ReactNode } from 'react';
import { FactsList } from '../../parts/facts-list';
import { type Column, ListTable } from '../../parts/list-table';
import { formatBytes, formatCount, formatSpan } from '../../results/values/format-value';
import type { ServiceStatus } from './service-status';

const STORES = { duckdb: 'DuckDB, in this server', clickhouse: 'ClickHouse' } as const;
const LANES: Readonly<Record<string, string>> = {
  saved: 'Saved queries',
  adhoc: 'Ad-hoc queries',
  check: 'Checks of texts',
  background: 'Refreshes of the cache',
};

export function StatusParts({ status }: { readonly status: ServiceStatus }): ReactNode {
  const { store, engine } = status;
  const { deadline, memory } = engine.kills;
  return (
    <>
      <h2>Service</h2>
      <FactsList
        facts={[
          ['Version', `${status.version}, Node ${status.node}`],
          ['Running for', formatSpan(status.uptime_seconds)],
          ['Store', STORES[store.kind]],
          [
            'Events',
            store.events === null
              ? 'not known now'
              : `${formatCount(store.events, 'event')} in ${formatCount(store.sources, 'source')}`,
          ],
          ['Events on disk', store.bytes === null ? '' : formatBytes(store.bytes)],
          ['Dead letters', store.dead_letters?.toLocaleString() ?? ''],
          ['Not stored yet', store.waiting_bytes === null ? '' : formatBytes(store.waiting_bytes)],
          ['Engine restarts', engine.restarts.toLocaleString()],
          ['Engines ended by a query', deadline + memory === 0 ? '' : `${deadline} by time, ${memory} by memory`],
          ['Memory of the service', formatBytes(status.memory.service_bytes)],
        ]}
      />
      <h2>Memory, disk and cache</h2>
      <Levels status={status} />
      <h2>Queues</h2>
      <Queues status={status} />
    </>
  );
}

function Levels({ status: { memory, disk, cache } }: { readonly status: ServiceStatus }): ReactNode {
  return (
    <div className="levels">
      <Level name="Memory of the engine" used={memory.engine_bytes} limit={memory.engine_limit_bytes} />
      {disk && (
        <Level
          name="Disk of the data folder"
          used={disk.used_bytes}
          limit={disk.used_bytes + disk.free_bytes}
          note={`${formatBytes(disk.free_bytes)} free`}
        />
      )}
      <Level
        name="Cache"
        used={cache.bytes}
        limit={cache.max_bytes}
        note={`${formatCount(cache.entries, 'result')}, ${cache.warm.toLocaleString()} kept warm, ${cache.evictions.toLocaleString()} evicted`}
      />
    </div>
  );
}

interface LevelProps {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  readonly note?: string;
}

const HIGH = 0.85;

function Level({ name, used, limit, note }: LevelProps): ReactNode {
  return (
    <div>
      <div>{name}</div>
      <meter aria-label={name} min={0} max={Math.max(1, limit)} high={Math.max(1, limit) * HIGH} value={used}>
        {formatBytes(used)}
      </meter>
      <div className="soft">
        {formatBytes(used)} of {formatBytes(limit)}
        {note !== undefined && `, ${note}`}
      </div>
    </div>
  );
}

function Queues({ status: { queues } }: { readonly status: ServiceStatus }): ReactNode {
  const rows = [
    ...Object.entries(queues.queries).map(([lane, counts]) => ({ name: LANES[lane] ?? lane, ...counts })),
    { name: 'Batches of events', ...queues.ingest },
  ];
  return (
    <ListTable label="Queues" tableClass="narrow" columns={QUEUE_COLUMNS} rows={rows} keyOf={({ name }) => name} />
  );
}

const QUEUE_COLUMNS: ReadonlyArray<
  Column<{ readonly name: string; readonly running: number; readonly waiting: number }>
> = [
  { head: 'Work', show: ({ name }) => name },
  { head: 'Running', isNumber: true, show: ({ running }) => running.toLocaleString() },
  { head: 'Waiting', isNumber: true, show: ({ waiting }) => waiting.toLocaleString() },
];
