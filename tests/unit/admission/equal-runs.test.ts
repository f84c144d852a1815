/** Calls of one token do not wait for the limits of another one that makes the same request. */
import { jsonResult } from '../../support/fakes/engine';
import { send } from '../../support/fakes/connection';
import { settle } from '../../support/fakes/clock';
import { createTestService, type TestService } from '../../support/servers/in-memory';

const LONG = 'weekly';
let service: TestService;
let endLongRun: () => void;
let runs: string[];

beforeEach(() => {
  service = createTestService({ settings: { LQE_MAX_RUNNING_PER_TOKEN: '1' } });
  runs = [];
  const ended = new Promise<void>((resolve) => (endLongRun = resolve));
  service.engine.answers.run = async (request) => {
    const project = String(request.parameters['project']);
    runs.push(project);
    if (project === LONG) await ended;
    return jsonResult(request, [{ project }]);
  };
});
afterEach(() => service.close());

const call = (token: string, project: string) =>
  send(service.server, `/api/endpoints/query/usage.api-counts?interval=daily&project=${project}`, {
    headers: { 'X-API-KEY': token },
  });

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await settle();
}

it('a call whose equal run waits for the limits of another token runs at once', async () => {
  const [busy, idle] = [service.createToken(), service.createToken()];
  const long = call(busy, LONG);
  await until(() => runs.length === 1);
  const waiting = call(busy, 'a');
  await until(() => service.ctx.runPermits.waiting === 1);
  const answer = await call(idle, 'a');
  expect([answer.status, runs, service.ctx.runPermits.waiting]).toEqual([200, [LONG, 'a'], 1]);
  endLongRun();
  expect([(await long).status, (await waiting).status]).toEqual([200, 200]);
});

it('a call joins an equal run that has begun, though the other token has no further permit', async () => {
  const [busy, idle] = [service.createToken(), service.createToken()];
  const calls = [call(busy, LONG)];
  await until(() => runs.length === 1);
  calls.push(call(idle, LONG));
  await settle();
  endLongRun();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
  expect(runs).toEqual([LONG]);
});
