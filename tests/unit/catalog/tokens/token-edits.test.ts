import { createSecretKey, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { type StoredToken, type TokenPolicy, UNLIMITED_POLICY } from '#contract/tokens/token';
import {
  dropOldMarks,
  findMark,
  type RepeatableRequest,
  repeatIssue,
} from '#server/catalog/tokens/secrets/issue-secret';
import { ensureRoom, MAX_SHARE_SIZE, MAX_SHARE_TOKENS, MAX_TOKENS } from '#server/catalog/tokens/power/token-share';
import { creation, revocation, rotation } from '#server/catalog/tokens/token-edits';
import { readExpiry } from '#server/catalog/tokens/token-fields';
import { parseToken, secretOfBytes } from '#server/catalog/tokens/secrets/token-text';

const POLICY: TokenPolicy = { ...UNLIMITED_POLICY, name: 'test', scopes: ['query'] };
const NOW = new Date('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;
const key = createSecretKey(randomBytes(32));
const random = { key, request: null };
const request = (presented: string, idempotencyKey: string): RepeatableRequest => ({
  mark: { key: idempotencyKey, body: 'b', time: NOW.toISOString() },
  idempotencyKey,
  presented,
});

function full(): StoredToken[] {
  const [token] = creation(POLICY, random, NOW)([]).tokens;
  return Array.from({ length: MAX_TOKENS }, (_, n) => ({ ...token!, id: String(n).padStart(8, '0') }));
}

it('the token that was revoked first makes room for a new one', () => {
  const tokens = full();
  for (const [index, day] of [
    [7, 2],
    [5, 1],
    [9, 3],
  ] as const)
    tokens[index] = revocation(tokens[index]!, new Date(NOW.getTime() + day * DAY_MS))(tokens).outcome;
  const { tokens: after } = creation(POLICY, random, NOW)(tokens);
  expect(after).toHaveLength(MAX_TOKENS);
  expect(after.some(({ id }) => id === '00000005')).toBe(false);
});

it('a new token is refused when none that is revoked can make room', () => {
  const create = creation(POLICY, random, NOW);
  expect(() => create(full())).toThrow(expect.objectContaining({ code: 'limit_reached' }));
});

describe('a confined maker', () => {
  const ofTenant = (count: number, fields: Partial<StoredToken>): StoredToken[] =>
    full()
      .slice(0, count)
      .map((token) => ({ ...token, id: `${fields.tenant}${token.id.slice(-7)}`, ...fields }));
  const share = ({ tenant }: TokenPolicy): boolean => tenant === 'a';
  const create = creation({ ...POLICY, tenant: 'a' }, random, NOW, share);
  const refusal = expect.objectContaining({ code: 'limit_reached' }) as Error;

  it('has room for a part of the tokens', () => {
    const others = ofTenant(MAX_SHARE_TOKENS, { tenant: 'b' });
    expect(create([...ofTenant(MAX_SHARE_TOKENS - 1, { tenant: 'a' }), ...others]).tokens).toHaveLength(2000);
    const filled = [...ofTenant(MAX_SHARE_TOKENS, { tenant: 'a' }), ...others];
    expect(() => create(filled)).toThrow(refusal);
    expect(creation(POLICY, random, NOW)(filled).tokens).toHaveLength(2001);
    expect(creation({ ...POLICY, tenant: 'b' }, random, NOW, null)(filled).tokens).toHaveLength(2001);
  });

  it('replaces its own revoked tokens, never those of others', () => {
    const others = ofTenant(MAX_SHARE_TOKENS, { tenant: 'b', revoked_at: '2026-01-01T00:00:00.000Z' });
    const own = ofTenant(MAX_SHARE_TOKENS, { tenant: 'a' });
    expect(() => create([...others, ...own])).toThrow(refusal);
    own[3] = { ...own[3]!, revoked_at: '2026-02-02T00:00:00.000Z' };
    const { tokens } = create([...others, ...own]);
    expect(tokens).toHaveLength(2 * MAX_SHARE_TOKENS);
    expect(tokens).not.toContain(own[3]);
  });

  it('does not fill the rest of all tokens', () => {
    const others = ofTenant(9000, { tenant: 'b', revoked_at: '2026-01-01T00:00:00.000Z' });
    expect(() => create(others)).toThrow(refusal);
    expect(creation(POLICY, random, NOW)(others).tokens).toHaveLength(9001);
    expect(create(others.slice(1)).tokens).toHaveLength(9000);
  });

  it('has room for a few large tokens only, also by changes', () => {
    const fixed = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`p${n}`, 'x'.repeat(1024)]));
    const count = Math.floor(MAX_SHARE_SIZE / 104_000);
    const large = ofTenant(count, { tenant: 'a', fixed_parameters: fixed });
    expect(() => creation({ ...POLICY, tenant: 'a', fixed_parameters: fixed }, random, NOW, share)(large)).toThrow(
      refusal
    );
    const [before] = ofTenant(1, { tenant: 'a' });
    const after = { ...before!, fixed_parameters: fixed };
    expect(() => ensureRoom([...large, before!], { before: before!, after }, share)).toThrow(refusal);
    expect(() => ensureRoom([...large, before!], { before: before!, after }, null)).not.toThrow();
    expect(() => ensureRoom([...large, after], { before: after, after: before! }, share)).not.toThrow();
  });
});

it('a token is not rotated more often with an Idempotency-Key than its marks have room for', () => {
  let [token] = creation(POLICY, random, NOW)([]).tokens;
  const rotate = (n: number) => rotation(token!, 0, { key, request: request('caller', `k${n}`) }, NOW)([token!]);
  for (let n = 0; n < 100; n += 1) token = rotate(n).outcome.token;
  expect(() => rotate(100)).toThrow(expect.objectContaining({ code: 'limit_reached' }));
  token = dropOldMarks(token!, new Date(NOW.getTime() + DAY_MS));
  expect(token.requests).toBeUndefined();
  expect(rotate(100).outcome.token.requests).toHaveLength(1);
});

test('a repeated request derives the same secret, and any other input another one or none', () => {
  const text = fc.string({ minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(text, text, text, (presented, idempotencyKey, other) => {
      const source = { key, request: request(presented, idempotencyKey) };
      const { tokens, outcome } = creation(POLICY, source, NOW)([]);
      expect(parseToken(outcome.text)).not.toBeNull();
      const { token, mark } = findMark(tokens, source.request.mark, NOW)!;
      expect(repeatIssue(token, mark, source)).toBe(outcome.text);
      const others = [
        ...(other === presented ? [] : [{ key, request: request(other, idempotencyKey) }]),
        ...(other === idempotencyKey ? [] : [{ key, request: request(presented, other) }]),
        { key, request: request(presented + idempotencyKey[0], idempotencyKey.slice(1)) },
        { key: createSecretKey(randomBytes(32)), request: source.request },
      ];
      for (const each of others)
        expect(() => repeatIssue(token, mark, each)).toThrow(expect.objectContaining({ code: 'idempotency_conflict' }));
      const stored = JSON.stringify(tokens);
      expect(stored).not.toContain(outcome.text.slice(13, 56));
    })
  );
});

it('the characters of a secret are equally likely, and bytes that would favor some are skipped', () => {
  const counts = new Map<string, number>();
  for (let value = 0; value < 256; value += 1) {
    let round = 0;
    // One byte of each value, then filling.
    const secret = secretOfBytes(() => (round++ === 0 ? new Uint8Array([value]) : new Uint8Array(43).fill(0)));
    counts.set(secret[0]!, (counts.get(secret[0]!) ?? 0) + 1);
  }
  // 248 bytes give four times each of 62 characters; the other eight are skipped, and filled with the first.
  expect([...counts.values()].sort((a, b) => a - b)).toEqual([...Array<number>(61).fill(4), 12]);
});

it.each([
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T12:00Z', '2027-01-31T12:00:00.000Z'],
  ['2027-01-31T12:00:00.123456+02:00', '2027-01-31T10:00:00.123Z'],
  ['90m', '2026-03-01T13:30:00.000Z'],
  ['12h', '2026-03-02T00:00:00.000Z'],
  ['90d', '2026-05-30T12:00:00.000Z'],
  ['999999d', '4764-01-26T12:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('the expiry %s is %s', (text, at) => {
  expect(readExpiry(text, NOW)).toEqual({ at });
});

it.each([
  '',
  '90',
  'd',
  '1w',
  '-1d',
  '1.5d',
  '2027',
  '2027-1-1',
  '2027-02-30',
  '2027-01-31 12:00',
  '２０２７-01-31',
  ' 1d',
])('the expiry %j is refused', (text) => {
  expect(readExpiry(text, NOW)).toHaveProperty('problem');
});
