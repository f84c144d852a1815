import { sourceSchema } from '#contract/events/source';
import { writeMessage } from '#server/ingest/syslog/events/write-message';
import { withoutPartOfCharacter } from '#server/ingest/syslog/events/intake';
import { parseMessage } from '#server/ingest/syslog/parse/parse-message';
import { timeZoneOf } from '#server/ingest/syslog/parse/time-zone';
import { readEntries } from '../../../../support/cases/http/formats';

const NOW_MS = Date.UTC(2026, 0, 1, 0, 0, 30);
const SOURCE = sourceSchema.parse({ name: 'syslog', retention_days: 30 });

const write = (message: string, source = SOURCE): unknown =>
  readEntries(
    writeMessage(source, parseMessage(message, { nowMs: NOW_MS, zone: timeZoneOf('UTC')! }), {
      nowMs: NOW_MS,
      sender: '192.0.2.7',
    })
  )[0];

it('each part of a message has its field in the entry', () => {
  const message = '<165>1 2025-12-31T23:59:59.123456Z web1 app 7 ID47 [a@1 x="1" ip="a" ip="b"] text';
  expect(write(message)).toEqual({
    timestamp: '2025-12-31T23:59:59.123456Z',
    event_message: 'text',
    metadata: {
      hostname: 'web1',
      app_name: 'app',
      procid: '7',
      msgid: 'ID47',
      facility: 'local4',
      severity: 'notice',
      level: 'info',
      structured_data: { 'a@1': { x: '1', ip: ['a', 'b'] } },
      sender: '192.0.2.7',
    },
  });
});

it('a message without anything has the time of arrival and its sender', () => {
  expect(write('text')).toEqual({
    timestamp: '2026-01-01T00:00:30.000000Z',
    event_message: 'text',
    metadata: { sender: '192.0.2.7' },
  });
});

it.each([
  ['older than the source keeps', '2025-12-02T00:00:29Z'],
  ['of a clock that was never set', '1970-01-01T00:00:12Z'],
  ['more than a day ahead', '2026-01-02T00:00:31Z'],
])('a time %s becomes the time of arrival, and is kept beside it', (_name, time) => {
  expect(write(`<13>1 ${time} h a - - - text`)).toMatchObject({
    timestamp: '2026-01-01T00:00:30.000000Z',
    metadata: { sent_time: time.replace('Z', '.000Z') },
  });
});

it.each(['2025-12-02T02:00:00Z', '2026-01-02T00:00:30Z'])('the time %s is kept', (time) => {
  const entry = write(`<13>1 ${time} h a - - - text`) as { timestamp: string; metadata: object };
  expect(entry.timestamp).toBe(time.replace('Z', '.000000Z'));
  expect(entry.metadata).not.toHaveProperty('sent_time');
});

it('a column of the source takes the field of its name', () => {
  const source = sourceSchema.parse({ name: 'syslog', columns: { hostname: 'STRING' } });
  expect(write('<13>Dec 31 23:59:59 web1 app: text', source)).toMatchObject({ hostname: 'web1' });
});

it.each([
  [0, 'emerg', 'fatal'],
  [1, 'alert', 'error'],
  [2, 'crit', 'error'],
  [3, 'err', 'error'],
  [4, 'warning', 'warn'],
  [5, 'notice', 'info'],
  [6, 'info', 'info'],
  [7, 'debug', 'debug'],
])('severity %i is %s, level %s', (code, severity, level) => {
  expect(write(`<${code}>text`)).toMatchObject({ metadata: { facility: 'kern', severity, level } });
});

it.each([
  ['é', 1, ''],
  ['aé', 2, 'a'],
  ['aé', 3, 'aé'],
  ['€', 2, ''],
  ['a😀', 4, 'a'],
  ['a😀', 5, 'a😀'],
  ['abc', 2, 'ab'],
])('"%s" that is cut after %i bytes has no part of a character', (text, bytes, expected) => {
  expect(withoutPartOfCharacter(Buffer.from(text).subarray(0, bytes)).toString()).toBe(expected);
});
