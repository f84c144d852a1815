/**
 * A job: the hand-written statements on a store file, each run warm many times; the fastest one of each question is
 * reported.
 */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { partTables } from '../../support/parts';
import { serveJob } from '../../support/run-apart';
import { MEMORY_LIMIT_MB, RUNS, THREADS, WARM_UP_RUNS } from '../../support/settings';
import { summarize, type Timing } from '../../support/statistics';
import { QUESTIONS, type Candidate } from './questions';

export interface HandWrittenJob {
  readonly file: string;
  readonly tempDir: string;
  readonly nowMicros: number;
}

export type Cell = string | number | null;

export interface BestHandWritten {
  readonly question: string;
  readonly candidate: string;
  readonly timing: Timing;
  readonly rows: readonly (readonly Cell[])[];
  readonly others: Readonly<Record<string, number>>;
}

serveJob<HandWrittenJob, BestHandWritten[]>(async ({ file, tempDir, nowMicros }) => {
  const instance = await DuckDBInstance.create(file, {
    memory_limit: `${MEMORY_LIMIT_MB}MiB`,
    threads: String(THREADS),
    temp_directory: tempDir,
    enable_external_access: 'false',
  });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const parts = await partTables(connection, 'logs');
  const best: BestHandWritten[] = [];
  for (const question of QUESTIONS) {
    const measured = await measure(connection, question.candidates(parts, nowMicros));
    ensureEqualRows(question.name, measured);
    measured.sort((a, b) => a.timing.medianMs - b.timing.medianMs);
    const [first] = measured as [(typeof measured)[0]];
    const others = Object.fromEntries(measured.map(({ candidate, timing }) => [candidate, timing.medianMs]));
    best.push({ question: question.name, ...first, others });
  }
  connection.closeSync();
  instance.closeSync();
  return best;
});

type Measured = Pick<BestHandWritten, 'candidate' | 'timing' | 'rows'>;

/** The candidates take turns, so that a slow second of the machine falls on all of them. */
async function measure(connection: DuckDBConnection, candidates: readonly Candidate[]): Promise<Measured[]> {
  const contestants = await Promise.all(
    candidates.map(async (candidate) => ({
      candidate,
      statement: await connection.prepare(candidate.sql),
      durationsMs: [] as number[],
      rows: [] as Cell[][],
    }))
  );
  for (let run = 0; run < WARM_UP_RUNS + RUNS; run++) {
    for (const each of contestants) {
      const startedAt = performance.now();
      each.statement.bind([...each.candidate.values]);
      const read = (await each.statement.runAndReadAll()).getRows();
      const durationMs = performance.now() - startedAt;
      if (run >= WARM_UP_RUNS) each.durationsMs.push(durationMs);
      each.rows = read.map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : (cell as Cell))));
    }
  }
  return contestants.map(({ candidate, statement, durationsMs, rows }) => {
    statement.destroySync();
    return { candidate: candidate.name, timing: summarize(durationsMs), rows };
  });
}

function ensureEqualRows(question: string, measured: readonly Measured[]): void {
  const [first, ...others] = measured.map(({ rows }) => JSON.stringify(rows));
  if (others.some((rows) => rows !== first)) throw new Error(`the hand-written statements for "${question}" disagree`);
}
