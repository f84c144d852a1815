import { detectExport } from '#server/cli/import/exports/detect-export';
import type { InputEvent } from '#server/cli/import/input/input';

/** @returns the events that are sent, and the notes for the user */
async function detected(lines: readonly string[]): Promise<{ sent: readonly string[]; notes: readonly string[] }> {
  async function* pieces(): AsyncGenerator<readonly InputEvent[]> {
    for (const [at, line] of lines.entries()) yield [{ place: at + 1, json: Buffer.from(line) }];
  }
  const notes: string[] = [];
  const sent: string[] = [];
  for await (const piece of detectExport(pieces(), (note) => notes.push(note)))
    sent.push(...piece.map(({ json, refused }) => refused?.code ?? json!.toString()));
  return { sent, notes };
}

it.each([
  ['docker', '{"log":"m\\n","stream":"stdout","time":"2026-03-01T08:00:00Z"}'],
  ['elasticsearch', '{"_index":"a","_id":"1","_source":{"message":"m"}}'],
  ['journald', '{"__CURSOR":"c","__REALTIME_TIMESTAMP":"1772352000123456","MESSAGE":"m"}'],
  ['loki', '{"labels":{"a":"b"},"line":"m","timestamp":"2026-03-01T08:00:00Z"}'],
  ['pino', '{"level":30,"time":1772352000123,"pid":1,"hostname":"a","msg":"m"}'],
  ['victorialogs', '{"_time":"2026-03-01T08:00:00Z","_stream_id":"0","_stream":"{}","_msg":"m"}'],
])('an export of the form %s is recognized by its first event', async (form, line) => {
  const { sent, notes } = await detected([line, line]);
  expect(notes).toEqual([`The events are read as --format ${form}. With --format events they are sent as they are.`]);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toContain('"event_message":"m"');
});

it.each([
  ['events of the service', '{"timestamp":"2026-03-01T08:00:00Z","event_message":"m","labels":{"a":"b"},"line":4}'],
  ['events with some names of an export', '{"timestamp":1,"_time":"x","level":"info","log":"m"}'],
  ['no JSON', '{"_source":{'],
])('%s are sent as they are', async (_what, line) => {
  expect(await detected([line, '{"_source":{}}'])).toEqual({ sent: [line, '{"_source":{}}'], notes: [] });
});

it('a time under another name is pointed out', async () => {
  const { notes } = await detected(['{"ts":1772352000,"event_message":"m"}']);
  expect(notes).toEqual([expect.stringMatching(/"ts" but no "timestamp": they get the time of their arrival/)]);
});

it('a line of a logger has its time in "time", for the service, too', async () => {
  const { notes } = await detected(['{"time":"2026-03-01T08:00:00Z","level":"INFO","msg":"m"}']);
  expect(notes).toEqual([]);
});

it('an input without events has nothing to recognize', async () => {
  expect(await detected([])).toEqual({ sent: [], notes: [] });
});
