/** All benchmarks in one run: hand-written and service on the same file, minutes apart, so that their ratio means something. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCache } from './callers/cache/run';
import { measureClickHouse } from './stores/clickhouse/run';
import { compare } from './stores/compare/run';
import { measureCompile } from './queries/compile/run';
import { measureConsole } from './interfaces/console/run';
import { measureKeptCounts } from './queries/end-to-end/kept-counts';
import { measureCalls, measureHandWritten } from './queries/end-to-end/run';
import { writeGrowthChart } from './queries/growth/growth-chart';
import { measureGrowth } from './queries/growth/run';
import { measureHostile } from './callers/hostile/run';
import { measureIngest } from './writes/ingest/run';
import { measureJournal } from './writes/journal/run';
import { measureLoad } from './callers/load/run';
import { measureManagement } from './callers/management/run';
import { measureMemory } from './queries/memory/run';
import { measureNeighbors } from './callers/neighbors/run';
import { measurePlugin, soakPlugin } from './interfaces/plugin/run';
import { measureRedaction } from './queries/redaction/run';
import { measureSeal } from './writes/seal/run';
import { prepareDataset, prepareSealed } from './support/dataset';
import { printTable, type Row } from './support/report';
import { startService, type ServerScripts } from './support/service';

export interface BenchmarkOptions {
  readonly root: string;
  readonly args: readonly string[];
  readonly scripts: ServerScripts;
}

export async function runBenchmarks({ root, args, scripts }: BenchmarkOptions): Promise<void> {
  const { sizes, parts, journalMib, recipes, victoriaLogs } = readOptions(args);
  const cacheDir = join(root, 'data', 'bench');
  mkdirSync(cacheDir, { recursive: true });
  const rows: Row[] = [];
  if (parts.includes('ingest')) {
    console.log('Measuring ingest ...');
    rows.push(...(await measureIngest(scripts, cacheDir)));
  }
  if (parts.includes('hostile')) {
    console.log('Measuring neighbors of hostile bodies ...');
    rows.push(...(await measureHostile(scripts, root, cacheDir, recipes)));
  }
  if (parts.includes('neighbors')) {
    const dataset = await prepareDataset(scripts, root, cacheDir, 1);
    console.log('Measuring neighbors of expensive queries ...');
    rows.push(...(await measureNeighbors(scripts, root, dataset, recipes)));
  }
  if (parts.includes('journal')) {
    console.log(`Measuring a journal of ${journalMib} MiB ...`);
    rows.push(...(await measureJournal(cacheDir, journalMib)));
  }
  if (parts.includes('cache')) {
    console.log('Measuring the cache ...');
    rows.push(...(await measureCache(scripts, cacheDir)));
  }
  if (parts.includes('load')) {
    console.log('Measuring many callers at once ...');
    rows.push(...(await measureLoad(scripts, cacheDir)));
  }
  if (parts.includes('management')) {
    console.log('Measuring changes of saved queries ...');
    rows.push(...(await measureManagement(scripts, cacheDir)));
  }
  if (parts.includes('plugin')) {
    console.log('Measuring the plugin ...');
    rows.push(...(await measurePlugin(scripts, cacheDir)));
  }
  if (parts.includes('console')) {
    console.log('Measuring the console in a browser ...');
    rows.push(...(await measureConsole(scripts, cacheDir)));
  }
  if (parts.includes('soak')) {
    console.log('Measuring the plugin over 50,000 queries ...');
    rows.push(await soakPlugin());
  }
  if (parts.includes('clickhouse')) {
    console.log('Measuring ClickHouse ...');
    rows.push(...(await measureClickHouse(scripts, root, cacheDir, sizes)));
  }
  for (const millions of parts.includes('compare') ? sizes : []) {
    console.log(`Comparing ${millions} million events ...`);
    rows.push(...(await compare(scripts, { root, cacheDir, victoriaLogs, millions })));
  }
  if (parts.includes('small')) {
    const dataset = await prepareSealed(scripts, root, cacheDir, 1);
    console.log('Measuring one million events ...');
    rows.push(...(await measureGrowth(scripts, dataset, 0.5)));
  }
  if (parts.includes('growth')) {
    for (const millions of sizes) {
      const dataset = await prepareSealed(scripts, root, cacheDir, millions);
      console.log(`Measuring ${millions} million events ...`);
      rows.push(...(await measureGrowth(scripts, dataset, 2)));
    }
    if (sizes.length > 1) writeGrowthChart(root, rows);
  }
  for (const millions of parts.includes('seal') ? sizes : []) {
    const dataset = await prepareDataset(scripts, root, cacheDir, millions);
    console.log(`Measuring seals of ${millions} million events ...`);
    rows.push(...(await measureSeal(root, cacheDir, dataset)));
  }
  for (const millions of parts.includes('sizes') ? sizes : []) {
    const dataset = await prepareDataset(scripts, root, cacheDir, millions);
    console.log(`Measuring ${millions} million events ...`);
    rows.push(...(await measureCompile(root, dataset)));
    const handWritten = await measureHandWritten(dataset);
    const service = await startService(scripts, dataset.dataDir);
    try {
      rows.push(...(await measureCalls(service, dataset, handWritten)), measureMemory(service, dataset));
    } finally {
      await service.stop();
    }
    rows.push(...(await measureKeptCounts(scripts, dataset)));
    // Last: results that were read in this process hold the file until they are collected.
    rows.push(...(await measureRedaction(root, dataset)));
  }
  console.log(`\n${printTable(rows)}\n`);
  const file = writeResults(root, rows);
  const judged = rows.filter((row) => row.isWithin !== null);
  const verdict = `${judged.filter((row) => row.isWithin).length} of ${judged.length} within the bar. `;
  console.log(`${judged.length > 0 ? verdict : ''}Figures: ${file}`);
}

const PARTS = [
  'ingest',
  'hostile',
  'neighbors',
  'journal',
  'cache',
  'load',
  'management',
  'plugin',
  'console',
  'soak',
  'clickhouse',
  'compare',
  'small',
  'growth',
  'seal',
  'sizes',
] as const;
/** Only when they are asked for by name: they take minutes, or need Chromium or the engine of tests/clickhouse. */
const NAMED_ONLY: readonly string[] = [
  'hostile',
  'neighbors',
  'console',
  'soak',
  'clickhouse',
  'compare',
  'small',
  'growth',
  'seal',
];
type Part = (typeof PARTS)[number];

interface Options {
  readonly sizes: readonly number[];
  readonly parts: readonly Part[];
  readonly journalMib: number;
  /** Of the parts `hostile` and `neighbors`: a text that the names of recipes or queries contain. */
  readonly recipes: string;
  /** Of the part `compare`: path of the binary. */
  readonly victoriaLogs: string;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: '1,5,10' },
      only: { type: 'string' },
      'journal-mib': { type: 'string', default: '64' },
      recipes: { type: 'string', default: '' },
      'victoria-logs': { type: 'string', default: '' },
    },
  });
  const parts = PARTS.filter((part) => (values.only === undefined ? !NAMED_ONLY.includes(part) : values.only === part));
  if (parts.length === 0) throw new Error(`--only takes one of ${PARTS.join(', ')}`);
  const sizes = values.sizes.split(',').map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size >= 1 && size <= 100)) {
    throw new Error('--sizes takes whole numbers of millions, for example 1,5,10');
  }
  const victoriaLogs = values['victoria-logs'];
  if (values.only === 'compare' && victoriaLogs === '') {
    throw new Error('--only compare needs --victoria-logs with the path of its binary');
  }
  const journalMib = Number(values['journal-mib']);
  if (!Number.isInteger(journalMib) || journalMib < 1 || journalMib > 4096) {
    throw new Error('--journal-mib takes a whole number of MiB, at most 4096');
  }
  return { sizes, parts, journalMib, recipes: values.recipes, victoriaLogs };
}

function writeResults(root: string, rows: readonly Row[]): string {
  const folder = join(root, 'benchmarks', 'results');
  mkdirSync(folder, { recursive: true });
  const measuredAt = new Date().toISOString();
  const file = join(folder, `${measuredAt.replaceAll(':', '-').slice(0, 19)}.json`);
  const machine = {
    processor: cpus()[0]?.model,
    threads: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.versions.node,
  };
  writeFileSync(file, `${JSON.stringify({ measuredAt, machine, rows }, null, 2)}\n`);
  return file;
}
