/**
 * Every text of the attack corpus once more through the tools of agents: a tool must not be a way around the sandbox.
 */
import { ERROR_CODES, type ErrorCode } from '#contract/errors';
import { type AttackStep, expand, readAttackClasses, PLAIN_MODE, stepsOf } from '../../support/cases/attacks';
import buildServer from '../../support/processes/build-server';
import {
  type Ground,
  MINE,
  NEIGHBOUR_MARK,
  openGround,
  removeTokens,
  TABLES,
} from '../../support/servers/attack-target';
import { type AgentClient, connect, overHttp, type ToolAnswer } from './ask-tools';

/** Texts of the plain attacker over the sandbox of `logs.all`. */
const TEXTS = readAttackClasses()
  .filter(({ heavy }) => !heavy)
  .flatMap((each) =>
    each.cases.flatMap((attack) =>
      stepsOf(each, attack).map((step) => ({ class: each.class, name: attack.attack, step }))
    )
  )
  .filter(({ step }) => isPlain(step));

function isPlain({ sql, lql, token, get, request, headers, endpoint = 'logs.all' }: AttackStep): boolean {
  const isOfOthers = [token, get, request, headers].some((part) => part !== undefined);
  return (sql ?? lql) !== undefined && !isOfOthers && endpoint === 'logs.all';
}

const ARGUMENTS = { endpoint: 'logs.all', parameters: { project: MINE } };

/** The first two texts of each class for each outcome that is expected of them. */
function sampleByKind(): typeof TEXTS {
  const counts = new Map<string, number>();
  return TEXTS.filter(({ class: name, step }) => {
    const kind = JSON.stringify([name, step.expect]);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts.get(kind)! <= 2;
  });
}

/**
 * @param openStore @returns settings of a server whose store is empty
 * @param texts which of them: all, or some of each kind where others show that the store makes no difference
 */
export function describeAgentAttacks(
  openStore: () => Promise<Readonly<Record<string, string>>>,
  texts: 'all' | 'some of each kind' = 'all'
): void {
  const tried = texts === 'all' ? TEXTS : sampleByKind();
  jest.setTimeout(120_000);
  let ground: Ground;
  let agent: AgentClient;
  let stock: string;

  beforeAll(async () => {
    await buildServer();
    ground = await openGround(PLAIN_MODE, await openStore());
    stock = JSON.stringify(await ground.takeStock());
    agent = await connect(overHttp(ground.service.url, ground.words['attacker']!));
  }, 120_000);

  afterAll(async () => {
    await agent?.close();
    await ground?.close();
    removeTokens();
  });

  const fewest = texts === 'all' ? 300 : 100;
  test(`there are at least ${fewest} texts`, () => expect(tried.length).toBeGreaterThanOrEqual(fewest));

  const questionOf = ({ sql, lql }: AttackStep): object =>
    sql === undefined ? { lql: expand(lql ?? '', ground.words) } : { sql: expand(sql, ground.words) };

  describe('query_logs', () => {
    test.each(tried)('$name', async ({ step }) => {
      const answer = await agent.call('query_logs', { ...ARGUMENTS, ...questionOf(step), max_rows: 1000 });
      const { error } = answer.structured as { error?: { code: ErrorCode } };
      const outcome = error === undefined ? '200' : `${ERROR_CODES[error.code].status} ${error.code}`;
      const shown = `${outcome}: ${answer.text.slice(0, 300)}`;
      const expected = step.expect ?? [];
      expect([shown, expected.some((each) => outcome === each || outcome.startsWith(`${each} `))]).toEqual([
        shown,
        true,
      ]);
      expectSilence(step, answer);
    });
  });

  /** A text that is refused before a run is refused by the check, and no check answers with data. */
  describe('check_query', () => {
    test.each(tried)('$name', async ({ step }) => {
      const answer = await agent.call('check_query', { ...ARGUMENTS, ...questionOf(step) });
      const { error, valid } = answer.structured as { error?: { code: ErrorCode }; valid?: boolean };
      const isRefused = (step.expect ?? []).every((outcome) => /^400 (sandbox_violation|query_syntax)/.test(outcome));
      if (isRefused)
        expect([valid ?? false, (step.expect ?? []).includes(`400 ${error?.code}`)]).toEqual([false, true]);
      expectSilence(step, answer);
    });
  });

  describe('describe_logs', () => {
    test.each(NAMES)('%s as the name of a table', async (table) => {
      const answer = await agent.call('describe_logs', { ...ARGUMENTS, table });
      expect(answer).toMatchObject({ isError: true, structured: { error: { code: 'parameter_invalid' } } });
      expectSilence({}, answer);
    });

    test.each([...Object.keys(TABLES)])('%s: examples are of the own project', async (table) => {
      const answer = await agent.call('describe_logs', { ...ARGUMENTS, table });
      expect([answer.isError, answer.text.includes('mine ')]).toEqual([false, true]);
      expectSilence({}, answer);
    });
  });

  test('a parameter that the token fixes keeps its value in every tool', async () => {
    const parameters = { project: 'neighbour' };
    for (const [tool, given] of [
      ['query_logs', { endpoint: 'logs.all', sql: 'select id from auth_logs', parameters }],
      ['check_query', { endpoint: 'logs.all', sql: 'select id from auth_logs', parameters }],
      ['describe_logs', { endpoint: 'logs.all', table: 'auth_logs', parameters }],
      ['logs_all', parameters],
    ] as const) {
      const answer = await agent.call(tool, given);
      expect([tool, answer.structured]).toMatchObject([tool, { error: { code: 'parameter_locked' } }]);
      expectSilence({}, answer);
    }
  });

  test('data of both projects are unchanged', async () => {
    expect(stock).toContain('"n":2000');
    expect(JSON.stringify(await ground.takeStock())).toBe(stock);
  });
}

function expectSilence({ never = [] }: AttackStep, answer: ToolAnswer): void {
  const all = JSON.stringify(answer);
  for (const word of [...never, NEIGHBOUR_MARK]) expect([word, all.includes(word)]).toEqual([word, false]);
}

/** Names that are no tables of the sandbox. */
const NAMES = [
  'edge_requests',
  'cloudflare.logs.prod',
  'information_schema.tables',
  'system.tables',
  '__proto__',
  'auth_logs` union all select * from `edge_requests',
  "auth_logs'; drop table auth_service; --",
  'auth_logs -- ',
  'auth_logs\u0000',
  '\ud800',
  '',
];
