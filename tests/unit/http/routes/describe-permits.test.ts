/** Descriptions of saved queries: a token that asks for many leaves the engine to others. */
import { send } from '../../../support/fakes/connection';
import { createTestService, LOGS, type TestService, USAGE } from '../../../support/servers/in-memory';

let service: TestService;
let own: string;
let other: string;
beforeEach(() => {
  service = createTestService({ definitions: [LOGS, USAGE] });
  own = service.createToken();
  other = service.createToken();
});
afterEach(() => service.close());

const get = (token: string, target: string) => send(service.server, target, { headers: { 'X-API-KEY': token } });
const described = (): number => service.engine.asked.filter(({ kind }) => kind === 'describe').length;

/** Descriptions are made when `finish` is called. */
function holdDescriptions(): { finish(): void } {
  let finish = (): void => undefined;
  const pending = new Promise<void>((resolve) => (finish = resolve));
  service.engine.answers.describe = async () => {
    await pending;
    return { fields: [], tables: [] };
  };
  return { finish };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

it('a token has one saved query described at a time, and another token does not wait for it', async () => {
  const { finish } = holdDescriptions();
  const answers = Array.from({ length: 4 }, () => get(own, '/api/endpoints/logs.all'));
  await until(() => service.ctx.describePermits.waiting === 3);
  expect(described()).toBe(1);
  const neighbor = get(other, '/api/endpoints/logs.all');
  await until(() => described() === 2);
  finish();
  const statuses = (await Promise.all([...answers, neighbor])).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  expect(service.ctx.describePermits.running).toBe(0);
});

it('a token has one document of its saved queries made at a time', async () => {
  const { finish } = holdDescriptions();
  const answers = Array.from({ length: 3 }, () => get(own, '/api/openapi.json'));
  await until(() => service.ctx.documentPermits.waiting === 2);
  expect([service.ctx.documentPermits.running, service.ctx.describePermits.waiting]).toEqual([1, 0]);
  finish();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([described(), service.ctx.documentPermits.running]).toEqual([6, 0]);
});

it('too many descriptions at once are refused, and are no missing rows of a document', async () => {
  const { finish } = holdDescriptions();
  const answers = Array.from({ length: 66 }, () => get(own, '/api/endpoints/logs.all'));
  await until(() => service.ctx.describePermits.waiting === 64);
  const document = await get(own, '/api/openapi.json');
  expect([document.status, document.json().error.code]).toEqual([429, 'concurrency_limited']);
  finish();
  const statuses = (await Promise.all(answers)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array<number>(65).fill(200), 429]);
});
