/** Reads tests/corpus/http/formats/bulk.yaml, whose head describes the form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const itemSchema = z.tuple([
  z.string(),
  z.string().nullable(),
  z.string().nullable(),
  z.union([z.literal(201), z.string()]),
]);

const caseSchema = z.strictObject({
  name: z.string(),
  path: z.string().default('/elasticsearch/_bulk'),
  source: z.string().optional(),
  lines: z.array(z.string()),
  entries: z.record(z.string(), z.array(z.unknown())),
  items: z.array(itemSchema),
});

export type BulkCase = z.infer<typeof caseSchema>;
export type BulkOutcome = z.infer<typeof itemSchema>;

export function bulkCases(): readonly BulkCase[] {
  const text = readFileSync(join(__dirname, '../../../corpus/http/formats/bulk.yaml'), 'utf8');
  return z.array(caseSchema).parse(parse(text));
}

interface SentItem {
  readonly _index?: string;
  readonly _id?: string;
  readonly status: number;
  readonly error?: { readonly type: string; readonly reason: string };
}

/** Items of an answer as the cases write them. */
export function outcomesOf({ items }: { readonly items: readonly Record<string, SentItem>[] }): BulkOutcome[] {
  return items.flatMap((item) =>
    Object.entries(item).map(([action, { _index, _id, status, error }]): BulkOutcome => {
      expect(status).toBe(error === undefined ? 201 : 400);
      return [action, _index ?? null, _id ?? null, error === undefined ? 201 : error.type];
    })
  );
}
