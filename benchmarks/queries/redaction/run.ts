/**
 * Times `logs.all` with and without redaction by turns, and counts what escapes. Must run while no server has the file
 * open.
 */
import { join } from 'node:path';
import { REDACTION_KINDS } from '#contract/redaction';
import { createPlanCache } from '#server/engine/query/plan-cache';
import { loadDefinitions } from '#server/catalog/definitions/load-definitions';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { runQuery } from '#server/engine/query/run-query';
import { createRedactor } from '#server/engine/redaction/redact-value';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import type { Dataset } from '../../support/dataset';
import { ms, type Row } from '../../support/report';
import { MEMORY_LIMIT_MB, PROJECT, REDACTION_BAR, THREADS } from '../../support/settings';
import { summarize } from '../../support/statistics';
import { savedQueryRequest } from '../../../tests/support/cases/run-saved-query';
import { readRedactionTexts } from '../../../tests/support/redaction/texts';

const WARM_UP = 20;
const RUNS = 60;
const ROWS = 100;

export async function measureRedaction(root: string, dataset: Dataset): Promise<Row[]> {
  const store = await openDuckDbStore({
    dataDir: dataset.dataDir,
    sources: loadSources(join(root, 'sources.yaml')),
    memoryLimitMb: MEMORY_LIMIT_MB,
    threads: THREADS,
  });
  try {
    const loaded = loadDefinitions(join(root, 'endpoints'), []).find(({ definition: { name } }) => name === 'logs.all');
    if (!loaded) throw new Error('endpoints/ has no logs.all');
    const { definition } = loaded;
    const request = savedQueryRequest(definition, { parameters: { project: PROJECT }, nowMicros: Date.now() * 1000 });
    const context = { compile: createPlanCache(), store, definition, queueMs: 0, onStage: () => undefined };
    const signal = new AbortController().signal;
    const durationsMs = { plain: [] as number[], redacted: [] as number[] };
    for (let run = 0; run < WARM_UP + RUNS; run += 1) {
      for (const redact of [false, true]) {
        const startedAt = performance.now();
        const result = await runQuery(context, { ...request, redact }, signal);
        const durationMs = performance.now() - startedAt;
        if (result.rows !== ROWS || result.redacted !== redact) throw new Error('logs.all gave a wrong answer');
        if (run >= WARM_UP) durationsMs[redact ? 'redacted' : 'plain'].push(durationMs);
      }
    }
    return [costRow(summarize(durationsMs.plain), summarize(durationsMs.redacted), dataset), escapeRow(root, dataset)];
  } finally {
    await store.close();
  }
}

type Timing = ReturnType<typeof summarize>;

function costRow(plain: Timing, redacted: Timing, dataset: Dataset): Row {
  const ratio = redacted.medianMs / plain.medianMs;
  return {
    what: 'redaction: logs.all, 100 rows',
    size: `${dataset.events / 1e6} M`,
    against: `without: ${ms(plain.medianMs)}`,
    measured: ms(redacted.medianMs),
    p95: ms(redacted.p95Ms),
    bar: `${REDACTION_BAR.toFixed(1)} times`,
    isWithin: ratio <= REDACTION_BAR,
    detail: `${ratio.toFixed(2)} times the call without`,
    figures: { plain, redacted, ratio, bar: REDACTION_BAR },
  };
}

function escapeRow(root: string, dataset: Dataset): Row {
  const texts = readRedactionTexts(root);
  const { text: redact } = createRedactor(REDACTION_KINDS);
  const wrong = texts.filter(({ text, redacted }) => redact(text) !== redacted);
  const escaped = wrong.filter(({ kind }) => kind !== null).length;
  const rate = wrong.length / texts.length;
  return {
    what: 'redaction: escape rate',
    size: `${dataset.events / 1e6} M`,
    against: '',
    measured: `${(rate * 100).toFixed(1)} %`,
    p95: '',
    bar: '0.0 %',
    isWithin: wrong.length === 0,
    detail: `${texts.length} texts: ${escaped} escaped, ${wrong.length - escaped} hidden needlessly`,
    figures: { texts: texts.length, escaped, needless: wrong.length - escaped },
  };
}
