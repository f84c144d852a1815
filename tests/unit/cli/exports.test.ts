import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { EXPORT_FORMS, type ExportForm, readExport } from '#server/cli/import/exports/read-export';
import type { InputEvent } from '#server/cli/import/input/input';

interface Case {
  readonly name?: string;
  readonly format: ExportForm;
  readonly line: string;
  readonly event: string;
}

const FILE = path.resolve(__dirname, '..', '..', 'corpus', 'exports', 'cases.yaml');
const CASES = parse(readFileSync(FILE, 'utf8')) as readonly Case[];

async function read(form: ExportForm, lines: readonly (string | null)[]): Promise<readonly InputEvent[]> {
  const piece = lines.map((line, at) => ({ place: at + 1, json: line === null ? null : Buffer.from(line) }));
  async function* pieces(): AsyncGenerator<readonly InputEvent[]> {
    yield piece;
  }
  const events: InputEvent[] = [];
  for await (const part of readExport(pieces(), form)) events.push(...part);
  return events;
}

it('every form has cases', () => {
  expect([...new Set(CASES.map(({ format }) => format))].sort()).toEqual([...EXPORT_FORMS].sort());
});

it.each(CASES.map((each) => [each.name ?? each.line.slice(0, 60), each] as const))(
  '%s',
  async (_name, { format, line, event }) => {
    const [read1] = await read(format, [line]);
    expect(read1!.refused?.code).toBe(event === 'refused' ? 'format_mismatch' : undefined);
    expect(read1!.json!.toString()).toBe(['same', 'refused'].includes(event) ? line : event);
  }
);

it('events keep their places, and lines that are too large are reported', async () => {
  expect(await read('loki', [null, 'x'])).toEqual([
    { place: 1, json: null },
    { place: 2, json: Buffer.from('x') },
  ]);
});
