/** Reads tests/corpus/tokens; the head of each file describes its form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const doing = z.enum(['create', 'change', 'rotate', 'revoke', 'read']);
const policy = z.record(z.string(), z.unknown());

const powerCase = z.strictObject({
  case: z.string(),
  maker: z.union([policy, z.literal('bootstrap')]).default({}),
  target: policy.optional(),
  do: doing,
  of: z.string().default('{id}'),
  body: policy.optional(),
  expect: z.union([z.string(), z.number().transform(String)]),
  fields: z.array(z.string()).optional(),
  result: policy.optional(),
});
export type PowerCase = z.infer<typeof powerCase>;

const bodyCase = z.strictObject({
  do: doing,
  body: z.string(),
  type: z.string().optional(),
  expect: z.string(),
  path: z.string().optional(),
  reason: z.string().optional(),
});
export type BodyCase = z.infer<typeof bodyCase>;

const HOUR_MS = 3_600_000;

export function readPowerCases(): readonly PowerCase[] {
  const text = read('power.yaml')
    .replaceAll('{hour}', new Date(Date.now() + HOUR_MS).toISOString())
    .replaceAll('{day}', new Date(Date.now() + 24 * HOUR_MS).toISOString());
  return z.array(powerCase).parse(parse(text));
}

export function readBodyCases(): readonly BodyCase[] {
  return z.array(bodyCase).parse(parse(read('bodies.yaml')));
}

/** Replaces `{{text*count}}`. */
export function expandBody(body: string): string {
  return body.replace(/\{\{(.+?)\*(\d+)\}\}/g, (_all, text: string, count: string) => text.repeat(Number(count)));
}

function read(name: string): string {
  return readFileSync(join(__dirname, '../../corpus/tokens', name), 'utf8');
}
