/** What a token may do to other tokens, over HTTP. Cases: tests/corpus/tokens/power.yaml. */
import type { TokenPolicy } from '#contract/tokens/token';
import { type PowerCase, readPowerCases } from '../../../support/cases/tokens';
import type { RawAnswer } from '../../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../../support/servers/in-memory';
import { idOf, TOKEN_TEST_QUERIES, type TokenCalls, tokenCalls } from '../../../support/servers/token-calls';
import { storedTokens, writeRevocation } from '../../../support/servers/write-token';

let service: TestService;
beforeEach(() => (service = createTestService({ definitions: TOKEN_TEST_QUERIES })));
afterEach(() => service.close());

const CASES = readPowerCases().map((each) => [each.case, each] as const);

it.each(CASES)('%s', async (_name, each) => {
  const { maker, target } = writeTokens(each);
  const before = storedTokens(service.dataDir);
  const id = each.of.replace('{id}', target ?? 'AAAAAAAA').replace('{own}', idOf(maker));
  const answer = await carryOut(tokenCalls(service, maker), each, id);
  expect(answer.headers['cache-control']).toBe('no-store');
  const [status = '', code] = each.expect.split(' ');
  if (code === undefined) {
    expect([answer.status, answer.text]).toEqual([Number(status), expect.anything()]);
    if (each.result) expect(answer.json().result).toMatchObject(each.result);
    return;
  }
  expect([answer.status, answer.json().error.code]).toEqual([Number(status), code]);
  if (each.fields) expect(answer.json().error.details.fields).toEqual(each.fields);
  expect(storedTokens(service.dataDir)).toEqual(before);
  expect((await service.ctx.audit.read(null, 10))!.entries).toEqual([]);
});

/** @returns the text of the maker and the id of the target */
function writeTokens(each: PowerCase): { maker: string; target: string | undefined } {
  const { revoked_at: revokedAt, ...limits } = each.target ?? {};
  const target =
    each.target && service.createToken({ scopes: ['query'], ...(limits as Partial<TokenPolicy>), name: 'target' });
  if (revokedAt !== undefined) writeRevocation(service.dataDir, 'target', new Date(String(revokedAt)));
  const maker =
    each.maker === 'bootstrap'
      ? BOOTSTRAP_TOKEN
      : service.createToken({ scopes: ['tokens:admin', 'query'], ...(each.maker as Partial<TokenPolicy>) });
  return { maker, target: target && idOf(target) };
}

function carryOut(calls: TokenCalls, each: PowerCase, id: string): Promise<RawAnswer> {
  switch (each.do) {
    case 'create':
      return calls.create(each.body);
    case 'change':
      return calls.change(id, each.body);
    case 'rotate':
      return calls.rotate(id, each.body);
    case 'revoke':
      return calls.revoke(id);
    case 'read':
      return calls.read(id);
  }
}
