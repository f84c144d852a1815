/** Files and texts of events, without a browser. */
import fc from 'fast-check';
import { type EventForm, formOf } from './event-form';
import { eventPieces, openEventFile } from './event-pieces';
import { sendPiece } from './send-events';
import { createSplitter, MAX_EVENT_BYTES } from './split-events';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Events of a text that arrives in chunks of this size. */
function split(text: string, form: Exclude<EventForm, 'binary'>, chunk = 7): string[] {
  const splitter = createSplitter(form);
  const bytes = encode(text);
  const events: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunk) events.push(...splitter.push(bytes.subarray(at, at + chunk)));
  return [...events, ...splitter.end()].map(decode);
}

const values = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 4 }), {
  maxLength: 12,
});
const chunk = fc.integer({ min: 1, max: 50 });
const indent = fc.constantFrom(0, 2, '\t');

describe('a text becomes one line for each event', () => {
  it('from an array, however it is indented and cut', () => {
    fc.assert(
      fc.property(values, indent, chunk, fc.boolean(), (all, space, size, isBatch) => {
        const text = JSON.stringify(isBatch ? { batch: all } : all, null, space);
        expect(split(text, 'array', size).map((line) => JSON.parse(line) as unknown)).toEqual(
          JSON.parse(JSON.stringify(all))
        );
      })
    );
  });

  it('from objects one after another', () => {
    fc.assert(
      fc.property(values, chunk, (all, size) => {
        const text = all.map((value) => JSON.stringify(value, null, 2)).join('\n');
        expect(split(text, 'values', size).map((line) => JSON.parse(line) as unknown)).toEqual(
          JSON.parse(JSON.stringify(all))
        );
      })
    );
  });

  it('from lines, of which none is changed', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), chunk, (all, size) => {
        const text = all.filter((line) => line.isWellFormed()).join('\n');
        expect(split(text, 'lines', size)).toEqual(text.split('\n').filter((line) => !/^[ \t\r\n]*$/.test(line)));
      })
    );
  });

  it('from plain text', () => {
    expect(split('GET "/a"\r\n\n\u001b[31mred\n', 'text')).toEqual([
      '{"event_message":"GET \\"/a\\""}',
      '{"event_message":"\\u001b[31mred"}',
    ]);
  });

  it('and a broken one stays broken, beside good ones', () => {
    expect(split('[{"a":1},{"a":},{"a":2}]', 'array')).toEqual(['{"a":1}', '{"a":}', '{"a":2}']);
    expect(() => JSON.parse(split('[{"a":"x\ny"}]', 'array')[0]!) as unknown).toThrow();
    expect(split('[{"a":1},{"a":[2', 'array')).toEqual(['{"a":1}', '{"a":[2']);
    expect(split('[{"a":1}] {"b":2}', 'array')).toEqual(['{"a":1}']);
  });

  it('of which one that is too long is cut, so that its memory is bounded', () => {
    const long = `{"a":"${'x'.repeat(3 * MAX_EVENT_BYTES)}"}`;
    for (const form of ['lines', 'values'] as const) {
      const [first, second] = split(`${long}\n{"b":1}\n`, form, 65_536);
      expect([first!.length, second!.trim()]).toEqual([MAX_EVENT_BYTES + 1, '{"b":1}']);
    }
    const { MAX_ENTRY_BYTES } = jest.requireActual<{ MAX_ENTRY_BYTES: number }>('#contract/events/source');
    expect(MAX_EVENT_BYTES).toBe(MAX_ENTRY_BYTES);
  });
});

it.each([
  ['', 'lines'],
  ['{"a":1}\n{"a":2}', 'lines'],
  ['{"a":1', 'lines'],
  ['{"a":}\n{"a":1}', 'lines'],
  ['{\n  "a": 1\n}', 'values'],
  ['{"a": [\n1]}', 'values'],
  ['\uFEFF [1]', 'array'],
  ['{ "batch" : [', 'array'],
  ['127.0.0.1 - - "GET /"', 'text'],
  ['a\0b', 'binary'],
] as const)('%j is %s', (text, form) => {
  expect(formOf(encode(text))).toBe(form);
});

it('bytes that are no UTF-8 are binary; a character that the end cuts is not', () => {
  expect(formOf(new Uint8Array([0xff, 0xfe, 0x41]))).toBe('binary');
  expect(formOf(encode('{"a":"ü"}').subarray(0, 7))).toBe('lines');
});

it('pieces hold all events in their order, with the place of the first', async () => {
  const all = Array.from({ length: 25_000 }, (_, n) => `{"n":${n}}`);
  const file = await openEventFile(new Blob([all.join('\n')]), 'events');
  const lines: string[] = [];
  for await (const piece of eventPieces(file)) {
    expect(piece.firstIndex).toBe(lines.length);
    expect(piece.lines.length).toBeLessThanOrEqual(10_000);
    lines.push(...piece.lines.map(decode));
  }
  expect(lines).toEqual(all);
});

describe('a piece', () => {
  const target = { token: 't', source: 's', project: '' };
  const options = { key: 'k', signal: new AbortController().signal, onWait: () => undefined };
  const piece = { firstIndex: 100, lines: ['{"n":0}', '{"n":1}', '{"n":2}'].map(encode) };
  const answers: Array<(body: string) => Response> = [];
  const sent: Array<{ readonly key: string; readonly body: string }> = [];
  const original = globalThis.fetch;
  beforeEach(() => {
    sent.length = 0;
    globalThis.fetch = (_url, init) => {
      const body = decode(init!.body as Uint8Array);
      sent.push({ key: (init!.headers as Record<string, string>)['Idempotency-Key']!, body });
      return Promise.resolve(answers.shift()!(body));
    };
  });
  afterEach(() => {
    globalThis.fetch = original;
  });

  const stored = (body: string): Response =>
    Response.json({
      result: {
        accepted: body.split('\n').length - 2,
        duplicates: 0,
        rejected: 1,
        errors: [{ index: 0, code: 'bad_json', message: 'no' }],
      },
    });
  const refused = (status: number) => (): Response =>
    Response.json({ error: { code: 'c', message: 'm' } }, { status, headers: { 'Retry-After': '0' } });
  const lost = (): Response => {
    throw new TypeError('fetch failed');
  };

  it('is sent again with the same key and bytes after a lost answer and a full service', async () => {
    answers.push(lost, refused(503), stored);
    const result = await sendPiece(target, piece, options);
    expect(result).toMatchObject({ accepted: 2, rejected: 1, errors: [{ index: 100 }] });
    expect(new Set(sent.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  it('is divided when it is too large, and a single event that is too large is rejected by its place', async () => {
    answers.push(refused(413), stored, refused(413));
    const result = await sendPiece(target, piece, options);
    expect(sent.map(({ body }) => body.split('\n').length - 1)).toEqual([3, 2, 1]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
    expect(result.errors.map(({ index }) => index)).toEqual([100, 102]);
  });

  it('is not sent again when the service refuses it', async () => {
    answers.push(refused(403));
    await expect(sendPiece(target, piece, options)).rejects.toThrow('m');
    expect(sent).toHaveLength(1);
  });

  describe('of which no answer comes', () => {
    const never = (signal: AbortSignal): Promise<Response> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    const any = Object.getOwnPropertyDescriptor(AbortSignal, 'any')!;
    beforeEach(() => {
      jest.useFakeTimers();
      // As in browsers of 2023.
      Reflect.deleteProperty(AbortSignal, 'any');
      const { fetch } = globalThis;
      globalThis.fetch = (url, init) => (sent.length === 0 ? fetch(url, init) : never(init!.signal!));
    });
    afterEach(() => {
      Object.defineProperty(AbortSignal, 'any', any);
      jest.useRealTimers();
    });

    it('is sent again after two minutes, until the person leaves', async () => {
      const leaving = new AbortController();
      answers.push(refused(503));
      const waits: number[] = [];
      const result = sendPiece(target, piece, {
        ...options,
        signal: leaving.signal,
        onWait: ({ status }) => waits.push(status),
      });
      const ended = expect(result).rejects.toThrow('aborted');
      await jest.advanceTimersByTimeAsync(121_000);
      expect(waits).toEqual([503, 0]);
      leaving.abort();
      await ended;
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
