/** Under redaction no statement tells two stores apart that differ only in what is hidden. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { DETECTORS } from '#server/redaction/policy';
import { findAll } from '#server/redaction/redact-text';
import { arbitraryAttack } from '../../support/redaction/arbitrary-attack';
import { fcRuns } from '../../support/fc-runs';
import { readDefinition } from '../../support/query-cases';
import { answerOf, openTwinStores, type TwinStores } from '../../support/redaction/twin-stores';

const CASES = parse(readFileSync(join(__dirname, '../../corpus/redaction/attacks.yaml'), 'utf8')) as {
  readonly name: string;
  readonly sql: string;
}[];
const LOGS = readDefinition('logs.all');

let twins: TwinStores;
/** Attacks that work where nothing is redacted. */
let told = 0;
beforeAll(async () => {
  twins = await openTwinStores();
}, 60_000);
afterAll(() => twins.close());

const both = (asked: Parameters<typeof answerOf>[2], definition = LOGS) =>
  Promise.all(twins.stores.map((store) => answerOf(store, definition, asked)));

test.each(CASES)('$name', async ({ sql }) => {
  const adhoc = { language: 'sql', text: sql } as const;
  const [left, right] = await both({ adhoc });
  expect(left).toBe(right);
  // An error repeats a name that the caller wrote.
  if (!(left as string).startsWith('{"code"')) expect(findAll(left as string, DETECTORS)).toEqual([]);
  // The attack is one: without redaction it is a good query, or it fails on what it reads.
  const [raw, other] = await both({ adhoc, redact: false });
  expect(raw).not.toMatch(/"reason":"(?:syntax|unknown_function|wrong_arguments|type_mismatch|ambiguous_column)"/);
  if (raw !== other) told += 1;
});

test('without redaction the attacks do tell the stores apart', () => {
  expect(told).toBeGreaterThan(CASES.length * 0.9);
});

test.each(['json', 'ndjson', 'csv'] as const)('the saved query as %s', async (format) => {
  const [left, right] = await both({ format, meta: false });
  expect(left).toBe(right);
  expect(left).toContain('[REDACTED:ip]');
});

test.each(['203[.]0', 'alice', '^https://x[.]example[.]com/[?]ip=2', 'ghp_'])(
  'a parameter that is a pattern is matched with redacted text: %s',
  async (project) => {
    const usage = readDefinition('usage.api-counts');
    const parameters = { interval: 'daily', project };
    const [left, right] = await both({ parameters }, usage);
    expect(left).toBe(right);
  }
);

test('generated statements', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryAttack, async (text) => {
      const [left, right] = await both({ adhoc: { language: 'sql', text } });
      expect(left).toBe(right);
    }),
    fcRuns(15)
  );
}, 120_000);
