/** Reads the cases of tests/corpus/http/formats, whose heads describe the form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { sourceSchema } from '#contract/events/source';
import { Token } from '#server/common/json/json-token';
import { type JsonNode, readJsonTree } from '#server/common/json/json-tree';

export const FORMAT_SOURCES = [
  sourceSchema.parse({
    name: 'edge_requests',
    aliases: ['cloudflare.logs.prod'],
    columns: { project: 'STRING', identifier: 'STRING' },
    fields: { 'request.method': 'STRING' },
  }),
  sourceSchema.parse({ name: 'function_events', fields: { project_ref: 'STRING', level: 'STRING' } }),
];

const caseSchema = z.strictObject({
  name: z.string(),
  source: z.string().optional(),
  request: z.unknown(),
  entries: z.record(z.string(), z.array(z.unknown())),
  refused: z.array(z.string()).default([]),
});

export type FormatCase = z.infer<typeof caseSchema>;

const senderCaseSchema = z.strictObject({
  name: z.string(),
  format: z.string(),
  type: z.string().default('application/json'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown(),
  entries: z.array(z.unknown()).default([]),
  /** Events that are stored as they are. */
  raw: z.string().optional(),
  refused: z.record(z.string(), z.string()).default({}),
});

export type SenderCase = z.infer<typeof senderCaseSchema>;

/** A number that a double does not hold. */
const EXACT = 'exact number ';

export function formatCases(file: string): readonly FormatCase[] {
  return z.array(caseSchema).parse(readCorpus(file));
}

export function senderCases(): readonly SenderCase[] {
  return z.array(senderCaseSchema).parse(readCorpus('senders.yaml'));
}

function readCorpus(file: string): unknown {
  const text = readFileSync(join(__dirname, '../../../corpus/http/formats', file), 'utf8');
  const customTags = [
    { tag: '!exact', resolve: (digits: string) => `${EXACT}${digits}` },
    { tag: '!json', resolve: (json: string) => JSON.parse(json) as unknown },
  ];
  return parse(text, { customTags });
}

/** Entries as they were handed to the store, one a line. */
export function readEntries(body: Uint8Array): unknown[] {
  const lines = Buffer.from(body).toString('utf8').split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => {
    const bytes = Buffer.from(line);
    return valueOf(readJsonTree(bytes, 0, bytes.length));
  });
}

function valueOf(node: JsonNode): unknown {
  switch (node.token) {
    case Token.object:
      return Object.fromEntries([...node.members].map(([key, value]) => [key, valueOf(value)]));
    case Token.array:
      return node.items.map(valueOf);
    case Token.string:
      return node.text;
    case Token.integer:
      return Number.isSafeInteger(Number(node.text)) ? Number(node.text) : `${EXACT}${node.text}`;
    default:
      return JSON.parse(node.text);
  }
}
