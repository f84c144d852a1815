/**
 * docs/moving.md: each of its import commands moves an export of the other store, and each of its queries finds what it
 * says.
 *
 * @slow 25
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCliWith,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const CORPUS = path.join(ROOT, 'tests', 'corpus', 'moving');
const read = (...parts: string[]) => readFileSync(path.join(...parts), 'utf8');

interface Expected {
  readonly events: number;
  readonly queries: readonly { readonly messages?: readonly string[]; readonly rows?: readonly object[] }[];
}
interface Query {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}
type Row = Readonly<Record<string, unknown>>;

const EXPECTED = parse(read(CORPUS, 'expected.yaml')) as Readonly<Record<string, Expected>>;
const SECTIONS = read(ROOT, 'docs', 'moving.md')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    command: /^npx lqe (import .*)$/m.exec(section)![1]!,
    queries: queriesOf(section),
  }));

/** Second cells of the tables with queries, and blocks. */
function queriesOf(section: string): readonly Query[] {
  const cells = [...section.matchAll(/^\| .+ \| `(f:.+)` \|$/gm)].map(
    ([, text]) => ({ language: 'lql', text: text!.replaceAll('\\|', '|') }) as const
  );
  const blocks = [...section.matchAll(/^```(sql|lql)\n(.*?)^```/gms)].map(([, language, text]) => ({
    language: language as 'sql' | 'lql',
    text: text!,
  }));
  return [...cells, ...blocks];
}

let place: Place;
let service: ServiceProcess;
let folder: string;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  service = await startService(place);
  folder = mkdtempSync(path.join(tmpdir(), 'lqe-moving-'));
}, 120_000);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.stop();
  place?.remove();
});

const PERIOD_MS = 300_000;
/** All events are in the five minutes before, so that counts by time have one row for each group. */
const END_MS = Math.floor(Date.now() / PERIOD_MS) * PERIOD_MS;

/** Puts times into an export: `{{NANOS-60}}` is a minute before their end, as the store writes it. */
function withTimes(text: string): string {
  return text.replace(/\{\{(\w+)-(\d+)\}\}/g, (_, form: string, seconds: string) => {
    const time = new Date(END_MS - Number(seconds) * 1000);
    const iso = time.toISOString();
    if (form === 'MICROS') return String(time.getTime() * 1000);
    if (form === 'NANOS') return iso.replace('Z', '456789Z');
    return form === 'BIGQUERY' ? iso.replace('T', ' ').replace('Z', '456 UTC') : iso;
  });
}

async function ask(project: string, { language, text }: Query): Promise<readonly Row[]> {
  const query = new URLSearchParams({ project, [language]: text });
  const answer = await fetch(`${service.url}/api/endpoints/query/logs.all?${query.toString()}`, {
    headers: { 'X-API-KEY': PROCESS_TOKEN },
  });
  const body = (await answer.json()) as { result?: readonly Row[] };
  if (body.result === undefined) throw new Error(`${text}: ${JSON.stringify(body)}`);
  return body.result;
}

const withoutTimes = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'timestamp')));

test('every section has its expectations', () => {
  expect(SECTIONS.map(({ title }) => title)).toEqual(Object.keys(EXPECTED));
});

describe.each(SECTIONS)('$title', ({ title, command, queries }) => {
  const project = `moved${title.replaceAll(/\W/g, '').toLowerCase()}`;
  const { events, queries: expected } = EXPECTED[title]!;

  test('the export is imported, and a second run adds nothing', async () => {
    const [, file] = command.split(' ');
    const copy = path.join(folder, file!);
    writeFileSync(copy, withTimes(read(CORPUS, file!)));
    const args = command.replace(file!, copy).replace('acornharvestplatform', project).split(' ');
    const run = () => runCliWith({ LQE_TOKEN: PROCESS_TOKEN }, ...args, '--url', service.url);
    expect(await run()).toMatchObject({
      code: 0,
      stdout: `accepted ${events} (${events} new, 0 stored already), rejected 0\n`,
    });
    expect(await run()).toMatchObject({
      code: 0,
      stdout: `accepted ${events} (0 new, ${events} stored already), rejected 0\n`,
    });
  });

  test('its queries find the events', async () => {
    expect(queries.length).toBe(expected.length);
    for (const [at, query] of queries.entries()) {
      const { messages, rows } = expected[at]!;
      const found = await ask(project, query);
      if (messages)
        expect([query.text, found.map((row) => row['event_message']).sort()]).toEqual([query.text, messages]);
      else expect([query.text, withoutTimes(found)]).toEqual([query.text, rows]);
    }
  });
});
