import { ERROR_CODES, type ErrorCode } from '#contract/errors';
import { type BadRequest, readBadRequests, requestBytes } from '../../../support/cases/http/bad-requests';
import { type RawAnswer, sendRaw } from '../../../support/fakes/connection';
import { createTestService, type TestService } from '../../../support/servers/in-memory';
import { writeRevocation } from '../../../support/servers/write-token';

let service: TestService;
let words: Record<string, string>;

beforeAll(() => {
  service = createTestService();
  words = {
    token: service.createToken(),
    narrow: service.createToken({ scopes: ['metrics:read'] }),
    expired: service.createToken({ expires_at: '2020-01-01T00:00:00Z' }),
    revoked: service.createToken({ name: 'revoked' }),
  };
  writeRevocation(service.dataDir, 'revoked');
});
afterAll(() => service.close());

const CASES = readBadRequests().map((bad) => [bad.name, bad] as const);

describe('a bad request', () => {
  it.each(CASES)('is refused: %s', async (_name, bad) => {
    const answer = await sendRaw(service.server, requestBytes(bad, words));
    expect([answer.status, answer.json().error.code]).toEqual([bad.status, bad.code]);
    expect(answer.json().error.details).toMatchObject(bad.details);
    expect(answer.headers).toMatchObject(bad.headers);
    expectErrorShape(answer);
  });

  it.each(CASES)('is refused with the same message as problem+json: %s', async (_name, bad) => {
    if (reachesApp(bad)) {
      const request = `${bad.request.trimEnd()}\nAccept: application/problem+json`;
      const answer = await sendRaw(service.server, requestBytes({ ...bad, request }, words));
      expect(answer.status).toBe(bad.status);
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(Object.keys(answer.json())).toEqual(['type', 'title', 'status', 'detail', 'code', 'details']);
      expect(answer.json()).toMatchObject({
        type: `/problems/${bad.code}`,
        title: ERROR_CODES[bad.code as ErrorCode].title,
        status: bad.status,
        code: bad.code,
        details: { ...bad.details, request_id: answer.headers['x-request-id'] },
      });
    }
  });

  it('runs nothing, stores nothing, and leaves no secret in the log', () => {
    expect(service.engine.asked.map(({ kind }) => kind)).toEqual([]);
    for (const secret of Object.values(words)) expect(service.logText()).not.toContain(secret);
    expect(service.logText()).not.toMatch(/project|select|bootstrap-token|a{30}/);
  });
});

/**
 * What the parser refuses has no readable Accept; what has its own Accept, or is HTTP's own business, stays as it is.
 */
function reachesApp({ request, code }: BadRequest): boolean {
  return !/^Accept:|^CONNECT/m.test(request) && code !== 'request_invalid' && !/\*60000/.test(request);
}

function expectErrorShape(answer: RawAnswer): void {
  const { error, ...rest } = answer.json();
  expect(rest).toEqual({});
  expect(Object.keys(error)).toEqual(['code', 'message', 'details']);
  expect(ERROR_CODES[error.code as ErrorCode].status).toBe(answer.status);
  expect(error.message).toMatch(/^[^\n]{5,200}\.$/);
  expect(error.details.request_id).toBe(answer.headers['x-request-id']);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': String(answer.body.length),
  });
  expect(answer.headers['www-authenticate']).toBe(answer.status === 401 ? 'ApiKey realm="log-query"' : undefined);
  // No stack, no path of ours, no name of a part.
  expect(answer.text).not.toMatch(/\bat \w+ \(|node_modules|\.ts\b|\.js\b(?!on)|duckdb/i);
}
