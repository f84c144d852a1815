/** Reads tests/corpus/http/formats/collector.yaml, whose head describes the form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const caseSchema = z.strictObject({
  name: z.string(),
  path: z.string().default('/services/collector/event'),
  body: z.string(),
  entries: z.record(z.string(), z.array(z.unknown())),
  answer: z.tuple([z.int(), z.int(), z.int().nullable()]).default([200, 0, null]),
  refused: z.array(z.string()).default([]),
});

export type CollectorCase = z.infer<typeof caseSchema>;

export function collectorCases(): readonly CollectorCase[] {
  const text = readFileSync(join(__dirname, '../../../corpus/http/formats/collector.yaml'), 'utf8');
  return z.array(caseSchema).parse(parse(text));
}
