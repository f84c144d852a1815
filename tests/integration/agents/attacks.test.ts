/**
 * Every text of the attack corpus once more through the tool `query_logs`: a tool must not be a way around the sandbox.
 *
 * @slow 15
 */
import { ERROR_CODES, type ErrorCode } from '#contract/errors';
import { type AttackStep, expand, readAttackClasses, readAttackModes, stepsOf } from '../../support/cases/attacks';
import buildServer from '../../support/processes/build-server';
import { type Ground, MINE, NEIGHBOUR_MARK, openGround, removeTokens } from '../../support/servers/attack-target';
import { type AgentClient, connect, overHttp } from './ask-tools';

jest.setTimeout(120_000);

/** Texts of the plain attacker over the sandbox of `logs.all`. */
const TEXTS = readAttackClasses()
  .filter(({ heavy }) => !heavy)
  .flatMap((each) =>
    each.cases.flatMap((attack) => stepsOf(each, attack).map((step) => ({ name: attack.attack, step })))
  )
  .filter(({ step }) => isPlain(step));

function isPlain({ sql, lql, token, get, request, headers, endpoint = 'logs.all' }: AttackStep): boolean {
  const isOfOthers = [token, get, request, headers].some((part) => part !== undefined);
  return (sql ?? lql) !== undefined && !isOfOthers && endpoint === 'logs.all';
}

let ground: Ground;
let agent: AgentClient;

beforeAll(async () => {
  await buildServer();
  ground = await openGround(
    readAttackModes().find(({ name }) => name === 'cold')!,
    {}
  );
  agent = await connect(overHttp(ground.service.url, ground.words['attacker']!));
}, 120_000);

afterAll(async () => {
  await agent?.close();
  await ground?.close();
  removeTokens();
});

test('there are at least 300 texts', () => expect(TEXTS.length).toBeGreaterThanOrEqual(300));

test.each(TEXTS)('$name', async ({ step }) => {
  const text = expand(step.sql ?? step.lql ?? '', ground.words);
  const language = step.sql === undefined ? 'lql' : 'sql';
  const answer = await agent.call('query_logs', {
    endpoint: 'logs.all',
    parameters: { project: MINE },
    [language]: text,
    max_rows: 1000,
  });
  const { error } = answer.structured as { error?: { code: ErrorCode } };
  const outcome = error === undefined ? '200' : `${ERROR_CODES[error.code].status} ${error.code}`;
  const shown = `${outcome}: ${answer.text.slice(0, 300)}`;
  const expected = step.expect ?? [];
  expect([shown, expected.some((each) => outcome === each || outcome.startsWith(`${each} `))]).toEqual([shown, true]);
  const all = JSON.stringify(answer);
  for (const word of [...(step.never ?? []), NEIGHBOUR_MARK]) expect([word, all.includes(word)]).toEqual([word, false]);
});

test('data of both projects are unchanged', async () => {
  expect(JSON.stringify(await ground.takeStock())).toContain('"n":2000');
});
