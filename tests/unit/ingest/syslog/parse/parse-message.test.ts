import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { decodeMessage, parseMessage } from '#server/ingest/syslog/parse/parse-message';
import { FORMS, type SyslogMessage } from '#server/ingest/syslog/parse/message';
import { timeZoneOf } from '#server/ingest/syslog/parse/time-zone';
import { fcRuns } from '../../../../support/jest/fc-runs';
import { LINEAR_MS, processorMs } from '../../../../support/jest/processor-time';

const caseSchema = z.strictObject({
  name: z.string(),
  message: z.string(),
  zone: z.string().default('UTC'),
  form: z.enum(FORMS),
  time: z.string().nullable(),
  fields: z.record(z.string(), z.string()),
  data: z.record(z.string(), z.record(z.string(), z.array(z.string()))).default({}),
  text: z.string(),
});
const FILE = join(__dirname, '../../../../corpus/syslog/messages.yaml');
const CASES = z.array(caseSchema).parse(parse(readFileSync(FILE, 'utf8')));
const NOW_MS = Date.UTC(2026, 0, 1, 0, 0, 30);

const read = (text: string, zone = 'UTC'): SyslogMessage =>
  parseMessage(text, { nowMs: NOW_MS, zone: timeZoneOf(zone)! });

function timeText(nanos: bigint | null): string | null {
  if (nanos === null) return null;
  const micros = nanos / 1000n;
  return `${new Date(Number(micros / 1000n)).toISOString().slice(0, -1)}${String(micros % 1000n).padStart(3, '0')}Z`;
}

function plain(data: SyslogMessage['structuredData']): unknown {
  return Object.fromEntries([...data].map(([id, parameters]) => [id, Object.fromEntries(parameters)]));
}

it.each(CASES)('a message is read: $name', ({ message, zone, form, time, fields, data, text }) => {
  const { hostname, appName, procid, msgid, ...found } = read(message, zone);
  const header = { hostname, app_name: appName, procid, msgid };
  expect({
    form: found.form,
    time: timeText(found.nanos),
    fields: Object.fromEntries(Object.entries(header).filter(([, value]) => value !== null)),
    data: plain(found.structuredData),
    text: found.text,
  }).toEqual({ form, time, fields, data, text });
  const priority = /^<(\d{1,3})>/.exec(message)?.[1];
  expect(found.priority).toBe(form === 'unparsed' ? null : Number(priority));
});

/** Pieces of headers, so that random texts reach every branch. */
const PIECES = [
  '<13>',
  '<191>1 ',
  '1 ',
  '- ',
  ' ',
  ': ',
  '%SYS-5-CONFIG_I: ',
  'Dec 31 23:59:59',
  '2026-01-01T00:00:00.000001Z ',
  '2026-01-01 00:00:00',
  ' UTC:',
  'host ',
  'app[1]: ',
  '[a@1 x="1"]',
  '[a@1 x="\\"',
  '"]',
  '\ufeff',
  '12: ',
  '*',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 5 })))
  .map((all) => all.join(''));

it('the end of every text is kept', () => {
  fc.assert(
    fc.property(text, (message) => {
      const found = read(message);
      expect(message.endsWith(found.text)).toBe(true);
      if (found.form === 'unparsed') expect(found.text).toBe(message);
      if (found.form === 'bare') expect(message.replace(/^<\d{1,3}>/, '')).toBe(found.text);
    }),
    fcRuns(2000)
  );
});

const name = fc.stringMatching(/^[!-~]{1,48}$/).filter((value) => value !== '-');
const field = fc.option(name);
const dataName = fc.stringMatching(/^[!#-<>-\\^-~]{1,32}$/);
const data = fc.uniqueArray(
  fc.tuple(
    dataName,
    fc.uniqueArray(fc.tuple(dataName, fc.string({ unit: 'grapheme' })), {
      selector: ([key]) => key,
      minLength: 1,
    })
  ),
  { selector: ([id]) => id, maxLength: 4 }
);

it('a message that was written by RFC 5424 is read with the same parts', () => {
  const time = fc.integer({ min: 0, max: 4_102_444_800_000_000 });
  const escaped = (value: string): string => value.replace(/["\\\]]/g, (sign) => `\\${sign}`);
  fc.assert(
    fc.property(fc.nat(191), time, field, field, field, field, data, fc.string({ unit: 'grapheme' }), (...all) => {
      const [priority, micros, hostname, appName, procid, msgid, elements, said] = all;
      const written = elements.map(
        ([id, parameters]) => `[${id}${parameters.map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')}]`
      );
      const header = [timeText(BigInt(micros) * 1000n), hostname, appName, procid, msgid].map((part) => part ?? '-');
      const sent = `<${priority}>1 ${header.join(' ')} ${written.join('') || '-'} ${said}`;
      expect(read(sent)).toEqual({
        form: 'rfc5424',
        priority,
        nanos: BigInt(micros) * 1000n,
        hostname,
        appName,
        procid,
        msgid,
        structuredData: new Map(
          elements.map(([id, parameters]) => [id, new Map(parameters.map(([key, value]) => [key, [value]]))])
        ),
        text: said.replace(/^\ufeff/, ''),
      });
    }),
    fcRuns(1000)
  );
});

it.each([
  ['structured data without an end', `<13>1 - - - - - [a ${'x="\\" '.repeat(10_000)}`],
  ['a thousand and one parameters', `<13>1 - - - - - [a${' x="1"'.repeat(1001)}] text`],
  ['elements without an end', `<13>1 - - - - - ${'[a]'.repeat(20_000)}`],
  ['blanks', `<13>Dec 31 23:59:59${' '.repeat(60_000)}`],
  ['names of Cisco', `<13>Dec 31 23:59:59 ${'%A-A-'.repeat(12_000)}`],
  ['digits', `<13>${'9'.repeat(60_000)}`],
])('a long text is read in little time: %s', (_name, message) => {
  expect(processorMs(() => read(message), LINEAR_MS)).toBeLessThan(LINEAR_MS);
  expect(message.endsWith(read(message).text)).toBe(true);
});

it('structured data with too many parameters stays in the text', () => {
  const elements = `[a${' x="1"'.repeat(1001)}]`;
  expect(read(`<13>1 - - - - - ${elements} text`)).toMatchObject({ form: 'rfc5424', text: `${elements} text` });
});

it.each([
  ['trailing line ends and NULs', Buffer.from('text\r\n\0\0'), 'text', true],
  ['a NUL within', Buffer.from('a\0b'), 'a\ufffdb', false],
  ['Latin 1', Buffer.from([0x63, 0x61, 0x66, 0xe9]), 'caf\ufffd', false],
  ['UTF-8', Buffer.from('café'), 'café', true],
  ['nothing but NUL', Buffer.from('\0\0'), '', true],
])('bytes are decoded: %s', (_name, bytes, expected, isIntact) => {
  expect(decodeMessage(bytes)).toEqual({ text: expected, isIntact });
});
