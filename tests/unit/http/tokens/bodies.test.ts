/** Bodies that are refused. Cases: tests/corpus/tokens/bodies.yaml. */
import { expandBody, readBodyCases } from '../../../support/cases/tokens';
import { createTestService, type TestService } from '../../../support/servers/in-memory';
import { idOf, tokenCalls } from '../../../support/servers/token-calls';
import { storedTokens } from '../../../support/servers/write-token';

let service: TestService;
let key: string;
beforeAll(() => {
  service = createTestService();
  key = service.createToken({ scopes: ['tokens:admin', 'query', 'adhoc', 'endpoints:read'] });
});
afterAll(() => service.close());

const CASES = readBodyCases().map((each) => [`${each.do} ${each.body.slice(0, 80)} ${each.type ?? ''}`, each] as const);

it.each(CASES)('%s', async (_name, each) => {
  const calls = tokenCalls(service, key);
  const before = storedTokens(service.dataDir);
  const headers: Record<string, string> = each.type === undefined ? {} : { 'Content-Type': each.type };
  const body = expandBody(each.body);
  const answer =
    each.do === 'create'
      ? await calls.create(body, headers)
      : each.do === 'change'
        ? await calls.change(idOf(key), body, headers)
        : await calls.rotate(idOf(key), body, headers);
  const { code, details } = answer.json().error;
  expect([`${answer.status} ${code}`, answer.headers['cache-control']]).toEqual([each.expect, 'no-store']);
  const problem = details.problems?.[0];
  if (each.path !== undefined) expect(problem.path.join('.')).toBe(each.path);
  if (each.reason !== undefined) expect(problem.reason).toContain(each.reason);
  expect(answer.text.length).toBeLessThan(4000);
  expect(storedTokens(service.dataDir)).toEqual(before);
});
