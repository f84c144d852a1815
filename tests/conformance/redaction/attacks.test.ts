/**
 * Under redaction no saved query and no generated statement tells two stores apart that differ only in what is hidden.
 * The written attacks are in tests/conformance-both/same-redaction.test.ts.
 *
 * @slow 20
 */
import fc from 'fast-check';
import { arbitraryAttack } from '../../support/redaction/arbitrary-attack';
import { fcRuns } from '../../support/jest/fc-runs';
import { readDefinition } from '../../support/cases/sql/queries';
import { answerOf, openTwinStores, type TwinStores } from '../../support/redaction/twin-stores';

const LOGS = readDefinition('logs.all');

let twins: TwinStores;
beforeAll(async () => {
  twins = await openTwinStores();
}, 60_000);
afterAll(() => twins.close());

const both = (asked: Parameters<typeof answerOf>[2], definition = LOGS) =>
  Promise.all(twins.stores.map((store) => answerOf(store, definition, asked)));

test.each(['json', 'ndjson', 'csv'] as const)(
  'the saved query gives equal rows on stores that differ in hidden text, as %s',
  async (format) => {
    const [left, right] = await both({ format, meta: false });
    expect(left).toBe(right);
    expect(left).toContain('[REDACTED:ip]');
  }
);

test.each(['203[.]0', 'alice', '^https://x[.]example[.]com/[?]ip=2', 'ghp_'])(
  'a parameter that is a pattern is matched with redacted text: %s',
  async (project) => {
    const usage = readDefinition('usage.api-counts');
    const parameters = { interval: 'daily', project };
    const [left, right] = await both({ parameters }, usage);
    expect(left).toBe(right);
  }
);

test.each(['203', '20|[3-9]', '1', '[.]0'])(
  'a parameter that a composed function searches for is matched with redacted text: %s',
  async (project) => {
    const query = `
      SELECT t.id, INSTR(h.cf_connecting_ip, @project, 2) AS a, REGEXP_EXTRACT(h.cf_connecting_ip, @project, 1, 2) AS b,
        REGEXP_INSTR(h.cf_connecting_ip, @project) AS c, SPLIT_SUBSTR(h.cf_connecting_ip, @project, 2) AS d,
        TRANSLATE(h.cf_connecting_ip, @project, 'xy') AS e, IFERROR(STRPOS(h.cf_connecting_ip, @project) + 1, 0) AS f
      FROM edge_requests AS t CROSS JOIN UNNEST(t.metadata) AS m CROSS JOIN UNNEST(m.request) AS r
        CROSS JOIN UNNEST(r.headers) AS h
      ORDER BY t.id`;
    const composed = { ...readDefinition('usage.api-counts'), query, sandbox: false };
    const [left, right] = await both({ parameters: { interval: 'daily', project } }, composed);
    expect(left).toBe(right);
    expect(left).toContain('"a"');
  }
);

test.each(['203', '20|[3-9]', '[.]0'])(
  'a parameter that a text is compared with by way of rows, lists and subqueries is matched with redacted text: %s',
  async (project) => {
    const query = `
      SELECT t.id, CONTAINS_SUBSTR(h.cf_connecting_ip, p) AS a, STARTS_WITH(h.cf_connecting_ip, p) AS b,
        STRPOS(h.cf_connecting_ip, (SELECT MAX(q) FROM UNNEST([@project]) AS q)) AS c,
        ARRAY_INCLUDES([@project], e -> STRPOS(h.cf_connecting_ip, e) > 0) AS d,
        h.cf_connecting_ip LIKE CONCAT(p, '%') AS e, REGEXP_CONTAINS(h.cf_connecting_ip, IF(t.id = '', 'a', @project)) AS f
      FROM edge_requests AS t CROSS JOIN UNNEST(t.metadata) AS m CROSS JOIN UNNEST(m.request) AS r
        CROSS JOIN UNNEST(r.headers) AS h CROSS JOIN UNNEST([@project]) AS p
      ORDER BY t.id`;
    const composed = { ...readDefinition('usage.api-counts'), query, sandbox: false };
    const [left, right] = await both({ parameters: { interval: 'daily', project } }, composed);
    expect(left).toBe(right);
    expect(left).toContain('"a"');
  }
);

test('generated attacks give equal rows on stores that differ in hidden text', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryAttack, async (text) => {
      const [left, right] = await both({ adhoc: { language: 'sql', text } });
      expect(left).toBe(right);
    }),
    fcRuns(8)
  );
}, 120_000);
