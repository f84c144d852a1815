/** Events with rare texts, and queries that search for them, with and without search filters. */
import fc from 'fast-check';
import type { AdhocText } from '#contract/queries/query';
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import type { Catalog } from '#compiler/catalog/catalog';
import { compile } from '#compiler/compile';
import type { CompiledQuery } from '#compiler/output/compiled-query';
import { redactionPolicy } from '#server/engine/redaction/policy';
import { sourceRedaction } from '#server/engine/redaction/source-redaction';
import type { SearchFilters } from '#server/stores/duckdb/search/search-filters';
import type { StoreRows } from '#server/stores/store';
import { makeSource, NOW_MICROS, type StoreFixture } from '../store-fixture';

export const DAY = 86_400_000_000;
export const SOURCE = makeSource({
  columns: { project: 'STRING', note: 'STRING' },
  tenant: 'project',
  fields: { path: 'STRING' },
});
const never = new AbortController().signal;

export /** Texts that few events have, with letters whose case folding is a trap. */
const RARE = [
  'connection reset by peer ECONNRESET',
  'Kelvin \u212a degrees, faſt İstanbul Straße ΣΊΣΥΦΟΣ ﬁnal',
  'naïve façade 日本語のログ 😀😀😀 done',
  'a%b_c\\d "quoted" [brackets] (groups) {braces} $1.00 ^caret | pipe',
  'mail to ada@example.org from 192.0.2.7',
  'line one\nline two\ttabbed\u0000zero',
  'aaaaaaaaaaaaaaaaaaaab',
  'REDACTED by hand',
  'ab',
  '',
];
export function event(day: number, n: number, message: string | null, project: string): object {
  const timestamp = new Date((NOW_MICROS - day * DAY) / 1000 - n).toISOString();
  return {
    id: `${day}-${n}`,
    timestamp,
    event_message: message,
    project,
    note: message,
    metadata: { path: `/p${n % 7}` },
  };
}

/** Most events of a day are alike. */
export function messageOf(day: number, n: number): string | null {
  if (day === 5 && n >= 3000 && n < 4500) {
    const trace = `at frame ${(n * 7919) % 1000} `.repeat(300);
    return n === 3700 ? `${trace}needle of a long trace ${trace}` : trace;
  }
  if (n % 8009 === 3) return RARE[(n + day) % RARE.length]!;
  if (n % 5000 === 77) return null;
  return n % 3 === 0
    ? `GET | 200 | /rest/v1/orders?page=${n % 50}`
    : `POST | 201 | /auth/v1/token ${(n * 7919) % 1000}`;
}

export interface Call {
  readonly text: string;
  readonly adhoc?: AdhocText;
  readonly needle?: string | null;
  readonly tenant?: string | null;
  readonly redact?: boolean;
}

const definitions = new Map<string, SavedQuery>();

function definitionOf(query: string): SavedQuery {
  const known = definitions.get(query);
  if (known !== undefined) return known;
  const id = `00000000-0000-4000-8000-${String(definitions.size).padStart(12, '0')}`;
  const facts = { id, name: `search-${definitions.size}`, query, parameters: [{ name: 'needle' }], sandbox: true };
  const made = savedQuerySchema.parse(facts);
  definitions.set(query, made);
  return made;
}

export function compiled(
  catalog: Catalog,
  { text, adhoc, needle = null, tenant = null, redact = false }: Call
): CompiledQuery {
  return compile({
    definition: definitionOf(text),
    adhoc: adhoc ?? null,
    parameters: { needle },
    catalog,
    nowMicros: NOW_MICROS,
    maxRows: 1000,
    redaction: sourceRedaction(redactionPolicy(redact, ['email', 'ip', 'token', 'card'])),
    tenant,
  });
}

/** Compares the rows with those of the same query without filters. @returns the answer with filters */
export async function expectSame(fixture: StoreFixture, call: Call): Promise<StoreRows> {
  const query = compiled(fixture.store.catalog(), call);
  const plain = await fixture.store.execute({ ...query, search: () => null, split: () => null }, never);
  const found = await fixture.store.execute(query, never);
  const { columns, rowCount, truncated } = found;
  expect([call, { columns, rowCount, truncated }]).toEqual([
    call,
    { columns: plain.columns, rowCount: plain.rowCount, truncated: plain.truncated },
  ]);
  // Filters know texts as they are stored: under redaction they are only asked for one that redaction leaves as it is.
  if (call.redact && found.blocks !== undefined) expect(JSON.stringify(call)).toMatch(/event_message (?:=|IN) /);
  return found;
}

export const SAVED =
  'WITH logs AS (SELECT id, timestamp, event_message, project, note FROM events) SELECT * FROM logs ORDER BY id LIMIT 500';
export const saved = (where: string): string => `SELECT id FROM events AS t WHERE ${where} ORDER BY id LIMIT 500`;
/** SQL has no literal with the character NUL. */
const literal = (text: string): string => JSON.stringify(text.replaceAll('\u0000', '')).replaceAll('\u2028', '\\u2028');

const part = fc
  .tuple(
    fc.constantFrom(...RARE, ...RARE, messageOf(6, 1)!, messageOf(6, 3)!),
    fc.nat({ max: 60 }),
    fc.nat({ max: 12 })
  )
  .map(([text, from, length]) =>
    [...text]
      .slice(from % ([...text].length || 1))
      .slice(0, length)
      .join('')
  );
const needle = fc.oneof(
  { weight: 6, arbitrary: part },
  part.map((text) => text.toUpperCase()),
  part.map((text) => text.toLowerCase()),
  part.map((text) => text.replaceAll('k', '\u212a').replaceAll('s', 'ſ').replaceAll('i', 'İ')),
  fc.constantFrom(
    '',
    '%',
    '_',
    'x',
    'ECONN%RESET',
    'σίσυφος',
    'strasse',
    'final',
    'İ',
    'istanbul',
    'kelvin k degrees',
    '\\'
  )
);
const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
const pattern = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');

const condition = fc.tuple(needle, fc.nat({ max: 13 })).map(([text, kind]) => {
  const quoted = literal(text);
  return [
    `t.event_message LIKE ${literal(`%${escaped(text)}%`)}`,
    `t.event_message LIKE ${literal(`${escaped(text)}%`)}`,
    `t.event_message LIKE ${literal(`%${text.replaceAll('\\', '')}_%`)}`,
    `LOWER(t.event_message) LIKE ${literal(`%${escaped(text)}%`)}`,
    `CONTAINS_SUBSTR(t.event_message, ${text === '' ? "'x'" : quoted})`,
    `STRPOS(t.event_message, ${quoted}) > 0`,
    `STARTS_WITH(t.event_message, ${quoted})`,
    `ENDS_WITH(t.event_message, ${quoted})`,
    `t.event_message = ${quoted}`,
    `t.event_message IN (${quoted}, 'connection reset by peer ECONNRESET')`,
    `REGEXP_CONTAINS(t.event_message, ${literal(pattern(text))})`,
    `REGEXP_CONTAINS(t.event_message, ${literal(`(?i)${pattern(text)}`)})`,
    `REGEXP_CONTAINS(t.event_message, ${literal(`(${pattern(text)}|reset.by|Q+)[a-z]?`)})`,
    `INSTR(t.event_message, ${text === '' ? "'x'" : quoted}) != 0`,
  ][kind]!;
});
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: condition },
    fc.constantFrom(
      `t.project = 'a'`,
      `t.project = 'small1'`,
      `t.id LIKE '%7'`,
      't.event_message IS NULL',
      'TRUE',
      'FALSE'
    ),
    fc.tuple(tie('tree'), tie('tree')).map((both) => `(${both.join(' AND ')})`),
    fc.tuple(tie('tree'), tie('tree')).map((both) => `(${both.join(' OR ')})`),
    tie('tree').map((one) => `NOT (${one})`),
    tie('tree').map((one) => `(${one}) IS TRUE`),
    tie('tree').map((one) => `(${one}) IS NOT FALSE`),
    tie('tree').map((one) => `COALESCE(${one}, TRUE)`)
  ),
}));
/** Calls of many kinds. */
export const call = fc
  .record({
    where: tree,
    shape: fc.nat({ max: 4 }),
    tenant: fc.constantFrom(null, null, null, 'a', 'b', 'small1', 'unknown'),
    // Redacting all rows takes longer than all else, and filters are seldom used under it.
    redact: fc.nat({ max: 7 }).map((n) => n === 7),
  })
  .map(({ where, shape, ...rest }): Call => {
    const from = `FROM events AS t WHERE ${where}`;
    const text = [
      `SELECT t.id, t.event_message ${from} ORDER BY t.id LIMIT 300`,
      `SELECT t.id ${from} ORDER BY t.timestamp DESC, t.id LIMIT 7`,
      `SELECT t.project, COUNT(*) AS n ${from} GROUP BY 1 ORDER BY 1`,
      `SELECT COUNT(*) AS n FROM (SELECT * FROM events) AS t WHERE ${where}`,
      `SELECT COUNT(*) AS n FROM logs AS t WHERE ${where}`,
    ][shape]!;
    return shape === 4 ? { text: SAVED, adhoc: { language: 'sql', text }, ...rest } : { text, ...rest };
  });

export function filtersOf(fixture: StoreFixture): SearchFilters {
  return (fixture.store as unknown as { readonly filters: SearchFilters }).filters;
}

export async function sealAll(fixture: StoreFixture): Promise<void> {
  while ((await fixture.store.sealing!.sealNext(never)) !== null);
  await filtersOf(fixture).settled();
}
