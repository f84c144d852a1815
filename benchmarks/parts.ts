/**
 * The parts of a run, in its order: hand-written and service on the same file, minutes apart, so that their ratio means
 * something.
 */
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
import { type Dataset, prepareDataset, prepareSealed } from './support/dataset';
import { startService, type ServerScripts } from './support/service';
import type { Row } from './support/report';

export interface RunOptions {
  readonly scripts: ServerScripts;
  readonly root: string;
  readonly cacheDir: string;
  /** Millions of events. */
  readonly sizes: readonly number[];
  readonly journalMib: number;
  /** Of the parts `hostile` and `neighbors`: a text that the names of recipes or queries contain. */
  readonly recipes: string;
  /** Of the part `compare`: path of the binary. */
  readonly victoriaLogs: string;
}

interface BenchmarkPart {
  /** Only when it is asked for by name: it takes minutes, or needs Chromium or the engine of tests/clickhouse. */
  readonly isNamedOnly?: boolean;
  measure(options: RunOptions): Promise<Row[]>;
}

export const PARTS: Readonly<Record<string, BenchmarkPart>> = {
  ingest: {
    measure({ scripts, cacheDir }) {
      console.log('Measuring ingest ...');
      return measureIngest(scripts, cacheDir);
    },
  },
  hostile: {
    isNamedOnly: true,
    measure({ scripts, root, cacheDir, recipes }) {
      console.log('Measuring neighbors of hostile bodies ...');
      return measureHostile(scripts, root, cacheDir, recipes);
    },
  },
  neighbors: {
    isNamedOnly: true,
    async measure({ scripts, root, cacheDir, recipes }) {
      const dataset = await prepareDataset(scripts, root, cacheDir, 1);
      console.log('Measuring neighbors of expensive queries ...');
      return measureNeighbors(scripts, root, dataset, recipes);
    },
  },
  journal: {
    measure({ cacheDir, journalMib }) {
      console.log(`Measuring a journal of ${journalMib} MiB ...`);
      return measureJournal(cacheDir, journalMib);
    },
  },
  cache: {
    measure({ scripts, cacheDir }) {
      console.log('Measuring the cache ...');
      return measureCache(scripts, cacheDir);
    },
  },
  load: {
    measure({ scripts, cacheDir }) {
      console.log('Measuring many callers at once ...');
      return measureLoad(scripts, cacheDir);
    },
  },
  management: {
    measure({ scripts, cacheDir }) {
      console.log('Measuring changes of saved queries ...');
      return measureManagement(scripts, cacheDir);
    },
  },
  plugin: {
    measure({ scripts, cacheDir }) {
      console.log('Measuring the plugin ...');
      return measurePlugin(scripts, cacheDir);
    },
  },
  console: {
    isNamedOnly: true,
    measure({ scripts, cacheDir }) {
      console.log('Measuring the console in a browser ...');
      return measureConsole(scripts, cacheDir);
    },
  },
  soak: {
    isNamedOnly: true,
    async measure() {
      console.log('Measuring the plugin over 50,000 queries ...');
      return [await soakPlugin()];
    },
  },
  clickhouse: {
    isNamedOnly: true,
    measure({ scripts, root, cacheDir, sizes }) {
      console.log('Measuring ClickHouse ...');
      return measureClickHouse(scripts, root, cacheDir, sizes);
    },
  },
  compare: {
    isNamedOnly: true,
    measure: ({ scripts, root, cacheDir, sizes, victoriaLogs }) =>
      eachOf(sizes, (millions) => {
        console.log(`Comparing ${millions} million events ...`);
        return compare(scripts, { root, cacheDir, victoriaLogs, millions });
      }),
  },
  small: {
    isNamedOnly: true,
    async measure({ scripts, root, cacheDir }) {
      const dataset = await prepareSealed(scripts, root, cacheDir, 1);
      console.log('Measuring one million events ...');
      return measureGrowth(scripts, dataset, 0.5);
    },
  },
  growth: {
    isNamedOnly: true,
    async measure({ scripts, root, cacheDir, sizes }) {
      const rows = await eachOf(sizes, async (millions) => {
        const dataset = await prepareSealed(scripts, root, cacheDir, millions);
        console.log(`Measuring ${millions} million events ...`);
        return measureGrowth(scripts, dataset, 2);
      });
      if (sizes.length > 1) writeGrowthChart(root, rows);
      return rows;
    },
  },
  seal: {
    isNamedOnly: true,
    measure: ({ scripts, root, cacheDir, sizes }) =>
      eachOf(sizes, async (millions) => {
        const dataset = await prepareDataset(scripts, root, cacheDir, millions);
        console.log(`Measuring seals of ${millions} million events ...`);
        return measureSeal(root, cacheDir, dataset);
      }),
  },
  sizes: {
    measure: ({ scripts, root, cacheDir, sizes }) =>
      eachOf(sizes, async (millions) => {
        const dataset = await prepareDataset(scripts, root, cacheDir, millions);
        console.log(`Measuring ${millions} million events ...`);
        return measureSize(scripts, root, dataset);
      }),
  },
};

async function measureSize(scripts: ServerScripts, root: string, dataset: Dataset): Promise<Row[]> {
  const compiled = await measureCompile(root, dataset);
  const handWritten = await measureHandWritten(dataset);
  const service = await startService(scripts, dataset.dataDir);
  const called: Row[] = [];
  try {
    called.push(...(await measureCalls(service, dataset, handWritten)), measureMemory(service, dataset));
  } finally {
    await service.stop();
  }
  const kept = await measureKeptCounts(scripts, dataset);
  // Last: results that were read in this process hold the file until they are collected.
  return [...compiled, ...called, ...kept, ...(await measureRedaction(root, dataset))];
}

/** The rows of each size, measured one after the other. */
async function eachOf(sizes: readonly number[], measure: (millions: number) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const millions of sizes) rows.push(...(await measure(millions)));
  return rows;
}
