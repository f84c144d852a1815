/** Times the compiler against the catalog of a data set. Must run while no server has the file open. */
import { join } from 'node:path';
import { compile, type CompileRequest } from '#compiler/compile';
import { loadDefinitions } from '#server/catalog/definitions/load-definitions';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import type { Dataset } from '../../support/dataset';
import { ms, type Row } from '../../support/report';
import {
  COMPILE_LONG_BAR_MS,
  COMPILE_LQL_BAR_MS,
  COMPILE_SHORT_BAR_MS,
  MEMORY_LIMIT_MB,
  PROJECT,
  THREADS,
} from '../../support/settings';
import { summarize } from '../../support/statistics';

const WARM_UP = 300;
const RUNS = 500;

const ADHOC =
  'select rq.path, count(*) as failures from edge_logs cross join unnest(metadata) as md ' +
  'cross join unnest(md.request) as rq cross join unnest(md.response) as rs ' +
  'where rs.status_code >= 500 group by rq.path order by failures desc limit 50';

const LQL = 'f:edge_logs m.request.method:GET m.request.path:~"^/rest" -m.response.status_code:200..299 t:last@1h';

export async function measureCompile(root: string, dataset: Dataset): Promise<Row[]> {
  const store = await openDuckDbStore({
    dataDir: dataset.dataDir,
    sources: loadSources(join(root, 'sources.yaml')),
    memoryLimitMb: MEMORY_LIMIT_MB,
    threads: THREADS,
  });
  try {
    const definition = loadDefinitions(join(root, 'endpoints'), []).find(
      ({ definition: { name } }) => name === 'logs.all'
    );
    if (!definition) throw new Error('endpoints/ has no logs.all');
    const request = {
      definition: definition.definition,
      parameters: { project: PROJECT, iso_timestamp_start: null, iso_timestamp_end: null },
      catalog: store.catalog(),
      nowMicros: Date.now() * 1000,
      maxRows: 1000,
      redaction: null,
      tenant: null,
    };
    return [
      measure('compile: logs.all', { ...request, adhoc: null }, dataset, COMPILE_LONG_BAR_MS),
      measure(
        'compile: ad-hoc query',
        { ...request, adhoc: { language: 'sql', text: ADHOC } },
        dataset,
        COMPILE_SHORT_BAR_MS
      ),
      measure('compile: LQL', { ...request, adhoc: { language: 'lql', text: LQL } }, dataset, COMPILE_LQL_BAR_MS),
    ];
  } finally {
    await store.close();
  }
}

function measure(what: string, request: CompileRequest, dataset: Dataset, barMs: number): Row {
  const durationsMs: number[] = [];
  let sql = '';
  for (let run = 0; run < WARM_UP + RUNS; run++) {
    const startedAt = performance.now();
    const compiled = compile(request);
    if (run >= WARM_UP) durationsMs.push(performance.now() - startedAt);
    if (sql !== '' && compiled.sql !== sql) throw new Error(`${what}: one text gave two statements`);
    sql = compiled.sql;
  }
  const timing = summarize(durationsMs);
  return {
    what,
    size: `${dataset.events / 1e6} M`,
    against: '',
    measured: ms(timing.medianMs),
    p95: ms(timing.p95Ms),
    bar: ms(barMs),
    isWithin: timing.medianMs <= barMs,
    detail: `${sql.length} characters of store SQL`,
    figures: { timing, barMs, sqlCharacters: sql.length },
  };
}
