/** The log of a server whose reader stands still, over a real pipe. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LogOutput } from '#server/monitoring/log-output';

const LINE = `${'x'.repeat(999)}\n`;

let folder: string;
let reader: number;
let writer: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-log-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
});
afterEach(() => {
  // The writer stays open: lines that wait are still written to its number, which no other file may get.
  closeSync(reader);
  rmSync(folder, { recursive: true, force: true });
});

/** Reads what is in the pipe now. */
function readPipe(): string {
  const chunk = Buffer.alloc(65_536);
  const chunks: Buffer[] = [];
  try {
    for (let bytes = readSync(reader, chunk); bytes > 0; bytes = readSync(reader, chunk))
      chunks.push(Buffer.from(chunk.subarray(0, bytes)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
  return Buffer.concat(chunks).toString();
}

async function readUntil(isEnough: (text: string) => boolean): Promise<string> {
  let text = '';
  while (!isEnough(text)) {
    text += readPipe();
    await sleep(5);
  }
  return text;
}

it('all lines are written in their order when the reader reads', async () => {
  const output = new LogOutput(writer);
  const lines = Array.from({ length: 2000 }, (_, n) => `${n} ${LINE}`);
  for (const line of lines) output.write(line);
  expect(await readUntil((text) => text.length >= lines.join('').length)).toBe(lines.join(''));
  expect(output.dropped).toBe(0);
});

it('lines beyond the limit are dropped, and their number is reported when the reader reads again', async () => {
  const output = new LogOutput(writer, { maxWaitingBytes: 200_000 });
  const reports: number[] = [];
  output.onRecovery((lines) => {
    reports.push(lines);
    output.write('recovered\n');
  });
  for (let n = 0; n < 1000; n += 1) output.write(LINE);
  await sleep(300);
  for (let n = 0; n < 1000; n += 1) output.write(LINE);
  const { dropped } = output;
  expect(dropped).toBeGreaterThan(1600);
  const text = await readUntil((read) => read.includes('recovered'));
  expect(reports).toEqual([dropped]);
  expect(text.split(LINE).length - 1).toBe(2000 - dropped);
  output.write('last\n');
  expect(await readUntil((read) => read.includes('last'))).toContain('last\n');
});

it('the end of the process does not wait for a reader that stands still', async () => {
  const output = new LogOutput(writer, { exitMs: 100 });
  for (let n = 0; n < 1000; n += 1) output.write(LINE);
  await sleep(50);
  const startedAt = performance.now();
  output.flushSync();
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

it('the end of the process writes the lines that wait', () => {
  const output = new LogOutput(openSync(join(folder, 'log'), 'w'));
  for (let n = 0; n < 3; n += 1) output.write(`${n}\n`);
  output.flushSync();
  // The first is being written, and complete when the process ends.
  expect(readFileSync(join(folder, 'log'), 'utf8').replace('0\n', '')).toBe('1\n2\n');
});

it('lines for which the disk has no space are dropped', async () => {
  const output = new LogOutput(openSync('/dev/full', 'w'));
  for (let n = 0; n < 3; n += 1) output.write(LINE);
  while (output.dropped < 3) await sleep(20);
  output.write(LINE);
  while (output.dropped < 4) await sleep(20);
});
