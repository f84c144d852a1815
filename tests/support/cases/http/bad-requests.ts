/** Reads tests/corpus/http/bad-requests.yaml, whose head describes the form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { z } from 'zod';

const caseSchema = z.strictObject({
  name: z.string(),
  request: z.string(),
  body: z.string().optional(),
  gzip_zeros: z.number().optional(),
  status: z.number(),
  code: z.string(),
  details: z.record(z.string(), z.unknown()).default({}),
  headers: z.record(z.string(), z.string()).default({}),
});

export type BadRequest = z.infer<typeof caseSchema>;

export function readBadRequests(): readonly BadRequest[] {
  const text = readFileSync(join(__dirname, '../../../corpus/http/bad-requests.yaml'), 'utf8');
  return z.array(caseSchema).parse(parse(text));
}

/** The bytes to send. */
export function requestBytes(bad: BadRequest, words: Readonly<Record<string, string>>): Buffer {
  const body = bodyBytes(bad, words);
  const [requestLine = '', ...given] = fill(bad.request.trimEnd(), words).split('\n');
  const names = given.map((line) => line.split(':')[0]!.toLowerCase());
  const added = [
    ...(names.includes('host') || names.includes('-host') ? [] : ['Host: test']),
    'Connection: close',
    ...(body === null || names.includes('content-length') ? [] : [`Content-Length: ${body.length}`]),
  ];
  const lines = [requestLine, ...given.filter((line) => !line.startsWith('-')), ...added, '', ''];
  return Buffer.concat([toBytes(lines.join('\r\n')), body ?? Buffer.alloc(0)]);
}

/** By their number: a hundred million take half a second of processor time. */
const gzippedZeros = new Map<number, Buffer>();

function gzipZeros(count: number): Buffer {
  const gzipped = gzippedZeros.get(count) ?? gzipSync(Buffer.alloc(count));
  gzippedZeros.set(count, gzipped);
  return gzipped;
}

function bodyBytes(bad: BadRequest, words: Readonly<Record<string, string>>): Buffer | null {
  if (bad.gzip_zeros !== undefined) return gzipZeros(bad.gzip_zeros);
  return bad.body === undefined ? null : toBytes(fill(bad.body, words));
}

function fill(text: string, words: Readonly<Record<string, string>>): string {
  return text
    .replace(/\{\{(.)\*(\d+)\}\}/g, (_all, char: string, count: string) => char.repeat(Number(count)))
    .replace(/\{\{(\w+)\}\}/g, (_all, word: string) => words[word] ?? `no word ${word}`);
}

function toBytes(text: string): Buffer {
  return Buffer.from(
    text.replace(/\\x([0-9a-f]{2})/g, (_all, digits: string) => String.fromCharCode(parseInt(digits, 16))),
    'latin1'
  );
}
