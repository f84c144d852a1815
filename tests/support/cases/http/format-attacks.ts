/** Reads tests/corpus/http/formats/attacks.yaml, whose head describes the form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { z } from 'zod';
import { encodeSnappy } from '../../references/snappy';

const partSchema = z.union([z.string(), z.strictObject({ repeat: z.string(), times: z.int() })]);
const attackSchema = z.strictObject({
  name: z.string(),
  to: z.enum(['otlp', 'otlp-json', 'loki', 'loki-protobuf', 'snappy']),
  parts: z.array(partSchema),
  gzip: z.boolean().default(false),
  status: z.int(),
  reason: z.string().optional(),
  stored: z.int().default(0),
});

export type FormatAttack = z.infer<typeof attackSchema>;

export function formatAttacks(): readonly FormatAttack[] {
  const text = readFileSync(join(__dirname, '../../../corpus/http/formats/attacks.yaml'), 'utf8');
  return z.array(attackSchema).parse(parse(text));
}

export const ATTACK_ROUTES: Readonly<Record<FormatAttack['to'], readonly [path: string, type: string]>> = {
  otlp: ['/v1/logs?source=edge_requests', 'application/x-protobuf'],
  'otlp-json': ['/v1/logs?source=edge_requests', 'application/json'],
  loki: ['/loki/api/v1/push?source=edge_requests', 'application/json'],
  'loki-protobuf': ['/loki/api/v1/push?source=edge_requests', 'application/x-protobuf'],
  snappy: ['/loki/api/v1/push?source=edge_requests', 'application/x-protobuf'],
};

export function attackBody({ to, parts, gzip }: FormatAttack): Buffer {
  const isText = to === 'otlp-json' || to === 'loki';
  const bytes = (text: string): Buffer => (isText ? Buffer.from(text) : Buffer.from(text.replaceAll(' ', ''), 'hex'));
  const written = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return bytes(part);
      const unit = bytes(part.repeat);
      return Buffer.alloc(unit.length * part.times, unit);
    })
  );
  const body = to === 'loki-protobuf' ? encodeSnappy(written) : written;
  return gzip ? gzipSync(body) : body;
}
