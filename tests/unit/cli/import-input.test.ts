import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { ImportError } from '#server/cli/import/import-error';
import type { InputEvent } from '#server/cli/import/input/input';
import { openInput } from '#server/cli/import/input/open-input';
import { splitArray } from '#server/cli/import/input/split-array';
import { splitLines } from '#server/cli/import/input/split-lines';

type Split = (chunks: AsyncIterable<Buffer>, maxEventBytes?: number) => AsyncGenerator<InputEvent[]>;

/** The text cut into pieces of `size` bytes, as a slow pipe would deliver it. */
async function* cut(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function gathered(pieces: AsyncIterable<readonly InputEvent[]>): Promise<[number, string | null][]> {
  const events: [number, string | null][] = [];
  for await (const piece of pieces) {
    for (const { place, json } of piece) events.push([place, json === null ? null : json.toString('utf8')]);
  }
  return events;
}

const split = (how: Split, text: string, size = 1 << 20, max?: number): Promise<[number, string | null][]> =>
  gathered(how(cut(text, size), max));

describe('an answer of the API', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lqe-answer-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['alone', '{"result":[{"a":1},{"b":2}]}'],
    ['with white space and a mark', '\uFEFF {\n "result" : [{"a":1},{"b":2}] }\n'],
    ['with facts behind the rows', '{"result":[{"a":1},{"b":2}],"meta":{"columns":[{"name":"a"}],"rows":2}}'],
  ])('gives its rows, %s', async (_form, text) => {
    for (const content of [Buffer.from(text), gzipSync(text)]) {
      writeFileSync(join(folder, 'answer.json'), content);
      const rows = await gathered((await openInput(join(folder, 'answer.json'))).pieces);
      expect(rows.map(([, json]) => json)).toEqual(['{"a":1}', '{"b":2}']);
    }
  });

  it('is refused when it ends within the rows', async () => {
    writeFileSync(join(folder, 'answer.json'), '{"result":[{"a":1},{"b"');
    await expect(gathered((await openInput(join(folder, 'answer.json'))).pieces)).rejects.toThrow(
      'the file ends before'
    );
  });

  it('is an event like any other where "result" is not a list', async () => {
    writeFileSync(join(folder, 'answer.json'), '{"result":"ok"}\n{"result":"bad"}\n');
    const events = await gathered((await openInput(join(folder, 'answer.json'))).pieces);
    expect(events).toEqual([
      [1, '{"result":"ok"}'],
      [2, '{"result":"bad"}'],
    ]);
  });
});

describe('objects one after another, on several lines each', () => {
  const splitObjects: Split = (chunks, max) => splitArray(chunks, max, 'objects');
  const text = '{\n  "a": {\n    "b": [1, "}{\\""]\n  }\n}\n{\r\n  "c": 3\n} {}\n';

  it.each([1, 2, 5, 1000])('are an event each, read %d bytes at a time', async (size) => {
    const made = await split(splitObjects, text, size);
    expect(made.map(([place, json]) => [place, json!.replace(/\s+/g, '')])).toEqual([
      [1, '{"a":{"b":[1,"}{\\""]}}'],
      [2, '{"c":3}'],
      [3, '{}'],
    ]);
  });

  it.each([
    ['{\n"a":1\n}\n{', /^line 4: the file ends before its last JSON object does$/],
    ['{\n"a":1\n},\n{}', /^line 3: expected a JSON object$/],
    ['{\n"a":1\n}\n]', /^line 4: expected a JSON object$/],
  ])('are refused when they are something else: %j', async (other, message) => {
    await expect(split(splitObjects, other)).rejects.toThrow(message);
  });

  it.each([
    ['as jq prints them', '{\n  "a": 1\n}\n{\n  "a": 2\n}\n', ['{   "a": 1 }', '{   "a": 2 }']],
    ['in an answer of CloudWatch', '{\n "events": [\n {"timestamp":1}\n], "nextToken":"x"}', ['{"timestamp":1} ']],
    ['on one line with a list of events', '{"events":[{"a":1}]}\n', ['{"events":[{"a":1}]}']],
  ])('are recognized %s', async (_how, content, events) => {
    const folder = mkdtempSync(join(tmpdir(), 'lqe-objects-'));
    writeFileSync(join(folder, 'objects.json'), content);
    const { pieces } = await openInput(join(folder, 'objects.json'));
    expect((await gathered(pieces)).map(([, json]) => json)).toEqual(events);
    rmSync(folder, { recursive: true });
  });
});

describe('newline-delimited input', () => {
  const text = '{"a":1}\n\n  \r\n{"b":"ä\\n"}\r\n{"c":3}';
  const events = [
    [1, '{"a":1}'],
    [4, '{"b":"ä\\n"}\r'],
    [5, '{"c":3}'],
  ];

  it.each([1, 2, 3, 7, 1000])('gives one event per line that is not blank, read %d bytes at a time', async (size) => {
    expect(await split(splitLines, text, size)).toEqual(events);
  });

  it('keeps lines that are not JSON, for the server to say what is wrong with each', async () => {
    expect(await split(splitLines, 'oops\n{}\n')).toEqual([
      [1, 'oops'],
      [2, '{}'],
    ]);
  });

  it.each([3, 1000])(
    'reports a line above the size limit without storing it, read %d bytes at a time',
    async (size) => {
      expect(await split(splitLines, `{}\n"${'x'.repeat(50)}"\n[]\n`, size, 20)).toEqual([
        [1, '{}'],
        [2, null],
        [3, '[]'],
      ]);
    }
  );
});

describe('a JSON array as input', () => {
  const text = '\n [ {"a":"]},{[\\"",\n "b":[1,{"c":2}]},\n {}, 7,"x"\n ] \n';
  const events = [
    [1, '{"a":"]},{[\\"",  "b":[1,{"c":2}]}'],
    [2, '{}'],
    [3, '7'],
    [4, '"x" '],
  ];

  it.each([1, 2, 5, 1000])('gives one event per element, each on one line, read %d bytes at a time', async (size) => {
    const made = await split(splitArray, text, size);
    expect(made.map(([place, json]) => [place, json?.replace(/ +/g, ' ').trim()])).toEqual(
      events.map(([place, json]) => [place, String(json).replace(/ +/g, ' ').trim()])
    );
    expect(made.every(([, json]) => !json?.includes('\n'))).toBe(true);
  });

  it('may be empty', async () => {
    expect(await split(splitArray, '[]')).toEqual([]);
  });

  it('reports an element above the size limit', async () => {
    expect(await split(splitArray, `[{},"${'x'.repeat(50)}",{}]`, 9, 20)).toEqual([
      [1, '{}'],
      [2, null],
      [3, '{}'],
    ]);
  });

  it.each(['[{}', '[{}] x', '[,{}]', '[{}][{}]', '{}'])('is refused when it is %s', async (bad) => {
    await expect(split(splitArray, bad)).rejects.toThrow(ImportError);
  });
});

describe('opening a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lqe-input-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const eventsOf = async (path: string): Promise<[number, string | null][]> => gathered((await openInput(path)).pieces);

  it('recognizes lines, arrays and gzip by their content', async () => {
    const expected = [
      [1, '{"a":1}'],
      [2, '{"a":2}'],
    ];
    expect(await eventsOf(file('array.log', '\uFEFF [{"a":1},{"a":2}]'))).toEqual(expected);
    expect(await eventsOf(file('array.bin', gzipSync('[{"a":1},{"a":2}]')))).toEqual(expected);
    expect(await eventsOf(file('lines', gzipSync('{"a":1}\n{"a":2}\n')))).toEqual(expected);
    const members = [gzipSync('{"a":1}\n'), gzipSync('{"a":2}\n'), Buffer.alloc(3_000_000)];
    expect(await eventsOf(file('padded', Buffer.concat(members)))).toEqual(expected);
    expect(await eventsOf(file('empty', ''))).toEqual([]);
  });

  it.each([
    ['line', '{"a":1}\n{"a":2}\n'],
    ['event', '[{"a":1},{"a":2}]'],
    ['event', '{"result":[{"a":1},{"a":2}]}'],
  ])('counts places by %s in %j', async (placeName, text) => {
    const input = await openInput(file('places', text));
    await gathered(input.pieces);
    expect(input.placeName).toBe(placeName);
  });

  it.each([
    ['zstd -dc', '28b52ffd240529'],
    ['xz -dc', 'fd377a585a00'],
    ['bzip2 -dc', '425a683931'],
    ['unzip -p', '504b0304'],
  ])('names %s for a file that it unpacks', async (command, bytes) => {
    await expect(eventsOf(file('packed', Buffer.from(bytes, 'hex')))).rejects.toThrow(`${command} FILE | lqe import -`);
  });

  it('reads Parquet, with times as ISO text and JSON metadata as text', async () => {
    const path = join(folder, 'odd [name]*.parquet');
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(
      `COPY (SELECT 'a' AS id, TIMESTAMP '2026-03-01 08:00:00.5' AS "timestamp", '{"level":"info"}' AS metadata, {'x': 1} AS extra
       UNION ALL SELECT 'b', TIMESTAMP '2026-03-01 09:00:00', 'not json', {'x': 2}) TO '${path}' (FORMAT parquet)`
    );
    const input = await openInput(path);
    expect(input.placeName).toBe('row');
    expect(input.progress.total).toBe(2);
    expect((await gathered(input.pieces)).map(([place, json]) => [place, JSON.parse(json as string)])).toEqual([
      [1, { id: 'a', timestamp: '2026-03-01T08:00:00.500000Z', metadata: { level: 'info' }, extra: { x: 1 } }],
      [2, { id: 'b', timestamp: '2026-03-01T09:00:00.000000Z', metadata: 'not json', extra: { x: 2 } }],
    ]);
  });

  it('reads a day of a backup', async () => {
    const path = join(folder, 'day.parquet');
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(
      `COPY (SELECT 'a' AS id, TIMESTAMPTZ '2026-03-01 08:00:00.5Z' AS "timestamp", 'GET /' AS event_message,
       'acme' AS project, '{"status":200,"size":12345678901234567890}' AS metadata_json) TO '${path}' (FORMAT parquet)`
    );
    expect(await gathered((await openInput(path)).pieces)).toEqual([
      [
        1,
        '{"id":"a","timestamp":"2026-03-01T08:00:00.500000Z","event_message":"GET /","project":"acme","metadata":{"status":200,"size":12345678901234567890}}',
      ],
    ]);
  });

  it('fails with a reason for a file that cannot be read', async () => {
    await expect(openInput(join(folder, 'missing'))).rejects.toThrow(/cannot open .* \(ENOENT\)$/);
    await expect(openInput(folder)).rejects.toThrow(/is not a file$/);
    await expect(openInput('/dev/null')).rejects.toThrow(/^\/dev\/null is not a file; .* lqe import -$/);
    writeFileSync(join(folder, 'damaged'), 'PAR1, and no end');
    await expect(openInput(join(folder, 'damaged'))).rejects.toThrow(/damaged cannot be read as Parquet \([^\n]+\)$/);
    const damaged = gzipSync('{"a":1}\n'.repeat(1000)).subarray(0, 40);
    await expect(eventsOf(file('damaged.gz', damaged))).rejects.toThrow(/damaged or ends too early/);
    const apart = [gzipSync('{"a":1}\n'), Buffer.alloc(3_000_000), gzipSync('{"a":2}\n')];
    await expect(eventsOf(file('apart.gz', Buffer.concat(apart)))).rejects.toThrow(/more data behind zeros/);
    await expect(eventsOf(file('inner.gz', gzipSync('PAR1....')))).rejects.toThrow(/name the file itself/);
  });
});
