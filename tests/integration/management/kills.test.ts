/**
 * `kill -9` in the middle of 200 changes: each is there whole or not at all, and an answered one is there. The same of
 * sources with their events.
 *
 * @slow 40
 * @waits
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import buildServer from '../../support/processes/build-server';
import { apiOf } from '../../support/servers/api';
import { CATALOGS, type Ground, openCatalogGround, removeDatabases } from '../../support/servers/catalogs';
import { type ServiceProcess, startService } from '../../support/servers/spawned';

const QUERIES = 10;
const CHANGES = 20;
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 2);

beforeAll(() => buildServer(), 180_000);
afterAll(() => removeDatabases(), 60_000);

const queryOf = (n: number, change: number): string => `SELECT ${n} AS query, ${change} AS change`;

interface Outcome {
  /** Last change that was answered. */
  answered: number;
  /** Last change that was sent. */
  sent: number;
}

/** Changes one saved query again and again, until the server ends. */
async function change(service: ServiceProcess, n: number, from: number, outcome: Outcome): Promise<void> {
  const api = apiOf(service);
  const name = `changed.${n}`;
  for (let next = from; next < CHANGES; next += 1) {
    outcome.sent = next;
    const definition = { name, query: queryOf(n, next) };
    const headers: Record<string, string> = next === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${next}"` };
    const answer = await api('PUT', `/endpoints/${name}`, { definition }, headers).catch(() => null);
    if (answer === null) return;
    expect([next, answer.status]).toEqual([next, next === 0 ? 201 : 200]);
    outcome.answered = next;
  }
}

it.each(CATALOGS)(
  'in the catalog "%s"',
  async (catalog) => {
    const ground: Ground = await openCatalogGround(catalog);
    const outcomes: Outcome[] = Array.from({ length: QUERIES }, () => ({ answered: -1, sent: -1 }));
    for (let round = 0; round <= ROUNDS; round += 1) {
      const service = await startService(ground.place, ground.env);
      for (const [n, outcome] of outcomes.entries()) outcome.answered = await ensureWhole(service, n, outcome);
      const changing = Promise.all(outcomes.map((outcome, n) => change(service, n, outcome.answered + 1, outcome)));
      if (round < ROUNDS) {
        await delay(200 + 250 * round);
        const exited = once(service.child, 'exit');
        service.child.kill('SIGKILL');
        await exited;
        await changing;
      } else {
        await changing;
        for (const [n, outcome] of outcomes.entries()) expect(await ensureWhole(service, n, outcome)).toBe(CHANGES - 1);
        await service.stop('SIGINT');
      }
    }
    ground.remove();
  },
  120_000
);

/** @returns the number of the present change */
async function ensureWhole(service: ServiceProcess, n: number, { answered, sent }: Outcome): Promise<number> {
  const api = apiOf(service);
  const read = await api('GET', `/endpoints/changed.${n}`);
  if (read.status === 404) {
    expect(answered).toBe(-1);
    return -1;
  }
  const { revision, query } = read.body.result as unknown as { revision: number; query: string };
  const present = revision - 1;
  expect(query).toBe(queryOf(n, present));
  expect(present).toBeGreaterThanOrEqual(answered);
  expect(present).toBeLessThanOrEqual(sent);
  expect((await api('GET', `/endpoints/query/changed.${n}`)).body.result).toEqual([{ query: n, change: present }]);
  const { result } = (await api('GET', `/endpoints/changed.${n}/revisions?limit=100`)).body;
  expect(result.map((each) => each['revision'])).toEqual([...Array(revision).keys()].map((k) => revision - k));
  return present;
}

/** Creates sources one after another, and sends one event to each; adds the names of those whose event is answered. */
async function makeSources(service: ServiceProcess, from: number, answered: string[]): Promise<void> {
  const api = apiOf(service);
  for (let n = from; n < from + 100; n += 1) {
    const name = `made_${n}`;
    const created = await api('POST', '/sources', { definition: { name } }).catch(() => null);
    if (created === null) return;
    expect(created.status).toBe(201);
    const sent = await api('POST', `/logs?source=${name}`, { message: name }).catch(() => null);
    if (sent === null) return;
    expect(sent.status).toBe(200);
    answered.push(name);
  }
}

it.each(CATALOGS)(
  'an event that a new source has answered for is there after kill -9, in the catalog "%s"',
  async (catalog) => {
    const ground = await openCatalogGround(catalog);
    const answered: string[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const service = await startService(ground.place, ground.env);
      const api = apiOf(service);
      for (const name of answered) {
        const definition = { name: 'tried', query: `SELECT COUNT(*) AS n FROM ${name}` };
        expect((await api('POST', '/endpoints/preview', { definition })).body.result).toEqual([{ n: 1 }]);
      }
      if (round === ROUNDS) {
        await service.stop('SIGINT');
        break;
      }
      const making = makeSources(service, 100 * round, answered);
      await delay(600 + 400 * round);
      // A busy machine may have answered for none until then.
      while (round === ROUNDS - 1 && answered.length === 0) await delay(20);
      const exited = once(service.child, 'exit');
      service.child.kill('SIGKILL');
      await exited;
      await making;
    }
    expect(answered.length).toBeGreaterThan(0);
    ground.remove();
  },
  120_000
);
