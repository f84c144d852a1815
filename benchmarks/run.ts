/** Runs benchmarks, prints one table, and writes its figures into benchmarks/results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PARTS, type RunOptions } from './parts';
import { printTable, type Row } from './support/report';
import type { ServerScripts } from './support/service';

interface BenchmarkOptions {
  readonly root: string;
  readonly args: readonly string[];
  readonly scripts: ServerScripts;
}

export async function runBenchmarks({ root, args, scripts }: BenchmarkOptions): Promise<void> {
  const { only, ...options } = readOptions(args);
  const cacheDir = join(root, 'data', 'bench');
  mkdirSync(cacheDir, { recursive: true });
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    const isWanted = only === undefined ? part.isNamedOnly !== true : name === only;
    if (isWanted) rows.push(...(await part.measure({ scripts, root, cacheDir, ...options })));
  }
  console.log(`\n${printTable(rows)}\n`);
  const file = writeResults(root, rows);
  const judged = rows.filter((row) => row.isWithin !== null);
  const verdict = `${judged.filter((row) => row.isWithin).length} of ${judged.length} within the bar. `;
  console.log(`${judged.length > 0 ? verdict : ''}Figures: ${file}`);
}

interface Options extends Omit<RunOptions, 'scripts' | 'root' | 'cacheDir'> {
  /** Undefined: all parts that are not only measured by name. */
  readonly only: string | undefined;
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
  const { only } = values;
  if (only !== undefined && !Object.hasOwn(PARTS, only))
    throw new Error(`--only takes one of ${Object.keys(PARTS).join(', ')}`);
  const sizes = values.sizes.split(',').map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size >= 1 && size <= 100)) {
    throw new Error('--sizes takes whole numbers of millions, for example 1,5,10');
  }
  const victoriaLogs = values['victoria-logs'];
  if (only === 'compare' && victoriaLogs === '') {
    throw new Error('--only compare needs --victoria-logs with the path of its binary');
  }
  const journalMib = Number(values['journal-mib']);
  if (!Number.isInteger(journalMib) || journalMib < 1 || journalMib > 4096) {
    throw new Error('--journal-mib takes a whole number of MiB, at most 4096');
  }
  return { only, sizes, journalMib, recipes: values.recipes, victoriaLogs };
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
