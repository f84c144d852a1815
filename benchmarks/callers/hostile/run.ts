/** Sends each hostile body of the tests, and measures what another token and the threads of the service notice. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEngineRestarts, waitUntilReady } from '../../../tests/support/hostile/engine-restarts';
import { judgeAnswer } from '../../../tests/support/hostile/judge-answer';
import {
  addNeighborQuery,
  createNeighbor,
  type Neighbor,
  type NeighborCall,
} from '../../../tests/support/hostile/neighbor';
import { readRecipes, type Recipe } from '../../../tests/support/hostile/recipe';
import { sendRecipe } from '../../../tests/support/hostile/send-recipe';
import { writeBody } from '../../../tests/support/hostile/write-body';
import type { Row } from '../../support/report';
import { createBenchmarkToken, startService, type ServerScripts, type Service } from '../../support/service';
import { hostileRows } from './report';
import { longestHolds, type ThreadHolds } from './thread-holds';
import { WATCH_FILE_VARIABLE } from './watch-threads';

/** What one recipe did. */
export interface HostileOutcome {
  readonly name: string;
  readonly answers: string;
  /** Answers that are not those of the recipe. */
  readonly unexpected: readonly string[];
  readonly durationMs: number;
  readonly calls: readonly NeighborCall[];
  readonly restarts: number;
  readonly holds: ThreadHolds;
}

interface Ground {
  readonly service: Service;
  readonly neighbor: Neighbor;
  readonly attackerToken: string;
  readonly watchFile: string;
}

/** The neighbor works alone this long before the body is sent, and this long after the answer. */
const BEFORE_MS = 500;
const AFTERWARDS_MS = 1000;

/** @param only recipes whose `<file>: <name>` contains this text; the empty text: all */
export async function measureHostile(
  scripts: ServerScripts,
  root: string,
  cacheDir: string,
  only = ''
): Promise<Row[]> {
  const folder = join(cacheDir, 'hostile');
  rmSync(folder, { recursive: true, force: true });
  const endpointsDir = join(folder, 'endpoints');
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { recursive: true });
  cpSync(join(root, 'endpoints'), endpointsDir, { recursive: true });
  addNeighborQuery(endpointsDir);
  const watchFile = join(folder, 'threads.txt');
  const attackerToken = await createBenchmarkToken(dataDir, 'attacker', ['ingest', 'query', 'adhoc']);
  const token = await createBenchmarkToken(dataDir, 'neighbor', ['query', 'ingest']);
  const service = await startService(scripts, dataDir, {
    logLevel: 'fatal',
    env: {
      LQE_ENDPOINTS_DIR: endpointsDir,
      NODE_OPTIONS: `--require ${join(__dirname, 'watch-threads.js')}`,
      [WATCH_FILE_VARIABLE]: watchFile,
    },
  });
  const neighbor = createNeighbor({ url: () => service.url, token });
  try {
    const recipes = [...readRecipes(root)].flatMap(([file, list]) =>
      list.filter(({ name }) => `${file}: ${name}`.includes(only))
    );
    if (recipes.length === 0) throw new Error(`no "<file>: <name>" of a recipe contains "${only}"`);
    const outcomes: HostileOutcome[] = [];
    for (const recipe of recipes) {
      const outcome = await attack({ service, neighbor, attackerToken, watchFile }, recipe);
      outcomes.push(outcome);
      console.log(describe(outcome));
    }
    await waitUntilReady(service.url);
    return hostileRows(outcomes, await neighbor.settle());
  } finally {
    neighbor.close();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function attack(
  { service, neighbor, attackerToken, watchFile }: Ground,
  recipe: Recipe
): Promise<HostileOutcome> {
  // Written before the clock starts: that takes seconds of this process.
  const body = writeBody(recipe);
  await waitUntilReady(service.url);
  const before = await readEngineRestarts(service.url, service.token);
  const from = Date.now();
  neighbor.start();
  await sleep(BEFORE_MS);
  const answers = await sendRecipe({ url: service.url, token: attackerToken }, recipe, body);
  await sleep(AFTERWARDS_MS);
  const calls = await neighbor.pause();
  return {
    name: recipe.name,
    answers: [...new Set(answers.map(({ status }) => status))].join(', '),
    unexpected: [...new Set(answers.flatMap((answer) => judgeAnswer(recipe, answer)))],
    durationMs: Math.max(...answers.map(({ durationMs }) => durationMs)),
    calls,
    restarts: (await readEngineRestarts(service.url, service.token)) - before,
    holds: longestHolds(watchFile, from, Date.now()),
  };
}

function describe({ name, answers, unexpected, durationMs, calls, restarts, holds }: HostileOutcome): string {
  const longest = (kind: NeighborCall['kind']): string =>
    Math.max(0, ...calls.filter((call) => call.kind === kind).map((call) => call.durationMs)).toFixed(0);
  const failed = calls.filter(({ problem }) => problem !== null).length;
  return [
    `  ${name}: ${answers} in ${durationMs.toFixed(0)} ms`,
    `neighbor: query ${longest('query')} ms, ingest ${longest('ingest')} ms, ${failed} failed`,
    `restarts ${restarts}`,
    `blocked: server ${holds.serverMs} ms, engine ${holds.engineMs} ms`,
    ...unexpected.map((problem) => `unexpected: ${problem.slice(0, 160)}`),
    ...[...new Set(calls.flatMap(({ problem }) => (problem === null ? [] : [problem.slice(0, 160)])))].slice(0, 2),
  ].join('; ');
}
