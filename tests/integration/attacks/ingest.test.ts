/**
 * Hostile ingest bodies of tests/corpus/attacks/ingest, while another token queries and sends events.
 *
 * @slow 70
 * @waits
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import buildServer from '../../support/processes/build-server';
import { readEngineRestarts, waitUntilReady } from '../../support/hostile/engine-restarts';
import { judgeAnswer } from '../../support/hostile/judge-answer';
import { addNeighborQuery, createNeighbor, type Neighbor } from '../../support/hostile/neighbor';
import { readRecipes, type Recipe } from '../../support/hostile/recipe';
import { sendRecipe } from '../../support/hostile/send-recipe';
import { writeBody } from '../../support/hostile/write-body';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';
import { writeToken } from '../../support/servers/write-token';

const ALL_RECIPES = readRecipes(join(__dirname, '../../..'));
/** All take ten minutes: without `HOSTILE_RECIPES=all` the first of each file are sent. */
const FIRST_RECIPES = 2;
const RECIPES = new Map(
  [...ALL_RECIPES].map(([file, recipes]) => [
    file,
    process.env['HOSTILE_RECIPES'] === 'all' ? recipes : recipes.slice(0, FIRST_RECIPES),
  ])
);
/** How long the neighbor goes on after the answer: a batch is put into the tables behind its acknowledgment. */
const AFTERWARDS_MS = 300;
const START_MS = 30_000;

let place: Place;
let service: ServiceProcess;
let neighbor: Neighbor;
let attackerToken: string;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  addNeighborQuery(place.endpointsDir);
  attackerToken = writeToken(place.dataDir, { name: 'attacker', scopes: ['ingest', 'query', 'adhoc'] });
  const token = writeToken(place.dataDir, { name: 'neighbor', scopes: ['query', 'ingest'] });
  service = await startService(place);
  neighbor = createNeighbor({ url: () => service.url, token });
}, 180_000);

afterAll(async () => {
  neighbor.close();
  await service.stop('SIGINT');
  place.remove();
}, 60_000);

const restarts = (): Promise<number> => readEngineRestarts(service.url, PROCESS_TOKEN);

async function attack(recipe: Recipe): Promise<readonly string[]> {
  const body = writeBody(recipe);
  await waitUntilReady(service.url);
  const before = await restarts();
  neighbor.start();
  const answers = await sendRecipe({ url: service.url, token: attackerToken }, recipe, body);
  await sleep(AFTERWARDS_MS);
  const calls = await neighbor.pause();
  const problems = answers.flatMap((answer) => judgeAnswer(recipe, answer));
  problems.push(...calls.flatMap(({ problem }) => (problem === null ? [] : [`neighbor: ${problem}`])));
  if (calls.length < 2) problems.push('the neighbor did not call');
  const restarted = (await restarts()) - before;
  if (restarted > 0) problems.push(`the engine was restarted ${restarted} times`);
  return [...new Set(problems)];
}

describe.each([...RECIPES])('hostile bodies of %s', (_file, recipes) => {
  it.each(recipes.map((recipe) => [recipe.name, recipe] as const))(
    'do no harm: %s',
    async (_name, recipe) => {
      expect(await attack(recipe)).toEqual([]);
    },
    300_000
  );
});

it('every event of another sender is stored once', async () => {
  await waitUntilReady(service.url);
  expect(await neighbor.settle()).toBeNull();
}, 200_000);

it.each((RECIPES.get('journal') ?? []).map((recipe) => [recipe.name, recipe] as const))(
  'a server that is killed while it reads %s starts again, with every event of another sender',
  async (_name, recipe) => {
    const body = writeBody(recipe);
    neighbor.start();
    const sent = sendRecipe({ url: service.url, token: attackerToken }, recipe, body);
    await sleep(randomInt(50, 800));
    await service.stop('SIGKILL');
    await Promise.all([sent, neighbor.pause()]);
    const startedAt = performance.now();
    service = await startService(place);
    await waitUntilReady(service.url);
    expect(performance.now() - startedAt).toBeLessThan(START_MS);
    expect(await neighbor.settle()).toBeNull();
  },
  200_000
);
