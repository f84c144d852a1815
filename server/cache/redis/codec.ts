/**
 * Format of a result in the shared cache: encrypted and authenticated (AES-256-GCM), so that a reader of the cache sees
 * no rows, and a writer cannot make a server return forged rows. The key of the entry is authenticated, too: an entry
 * copied to another key is invalid.
 */
import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { RESULT_FORMATS } from '#contract/queries/query';
import { REDACTION_KINDS } from '#contract/redaction';
import type { QueryResult } from '#contract/queries/result';
import { packBytes, PACKINGS, unpackBytes } from './packed-bytes';

export interface SharedEntry {
  readonly result: QueryResult;
  /** The "now" of the run, in milliseconds since 1970 by the clock of the server that ran it. */
  readonly ranAtMs: number;
  /** Generation of the saved query when the run began: a purge sets a new one. */
  readonly generation: string;
}

/**
 * Layout: magic and version, nonce, tag; then, encrypted: length of the metadata (4 bytes), metadata as JSON, packed
 * bytes of the result.
 */
const MAGIC = Buffer.from('LQE2');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MAGIC.length + NONCE_BYTES + TAG_BYTES;
const LENGTH_BYTES = 4;
/** Results that would have to shrink by more than this factor are not compressed at all. */
const MAX_PACKED_RATIO = 8;

const position = z.strictObject({ line: z.int(), column: z.int() });
/**
 * Schema of the result's metadata. A field that is added to `QueryResult` does not compile until it is here; an entry
 * with an unknown field is invalid.
 */
const resultFacts = {
  format: z.enum(RESULT_FORMATS),
  fields: z.array(z.strictObject({ name: z.string(), type: z.string() })),
  rows: z.int().min(0),
  truncated: z.boolean(),
  redacted: z.boolean(),
  replaced: z.partialRecord(z.enum(REDACTION_KINDS), z.int()).optional(),
  revision: z.int(),
  warnings: z
    .array(
      z.strictObject({
        code: z.enum(['empty_range', 'operator_as_word', 'select_ignored', 'select_redundant']),
        message: z.string(),
        position,
        offset: z.int(),
        length: z.int(),
      })
    )
    .optional(),
  timings: z.strictObject({
    queueMs: z.number(),
    planMs: z.number(),
    dbMs: z.number(),
    redactMs: z.number(),
    encodeMs: z.number(),
  }),
  days: z.strictObject({ read: z.int().min(0), kept: z.int().min(0), keptBytes: z.int().min(0) }).optional(),
  blocks: z.strictObject({ read: z.int().min(0), skipped: z.int().min(0) }).optional(),
} satisfies { readonly [K in keyof Required<Omit<QueryResult, 'bytes'>>]: z.ZodType<QueryResult[K]> };

const factsSchema = z.strictObject({
  ...resultFacts,
  ranAtMs: z.number().min(0),
  generation: z.string().min(1),
  packing: z.enum(PACKINGS),
  /** Size of the result, unpacked. */
  length: z.int().min(0),
});

/** @returns the key for sealing entries, used for nothing else */
export function entryKey(serverKey: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', serverKey, '', 'log-query-endpoints: shared results 1', 32));
}

/** @returns null when the entry would have more than `maxBytes` */
export async function sealEntry(
  key: Buffer,
  name: string,
  { result, ranAtMs, generation }: SharedEntry,
  maxBytes: number
): Promise<Buffer | null> {
  const { bytes, ...rest } = result;
  if (bytes.byteLength > MAX_PACKED_RATIO * maxBytes) return null;
  const packed = await packBytes(bytes);
  const { packing } = packed;
  const facts = Buffer.from(JSON.stringify({ ...rest, ranAtMs, generation, packing, length: bytes.byteLength }));
  if (HEAD_BYTES + LENGTH_BYTES + facts.byteLength + packed.bytes.byteLength > maxBytes) return null;
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(facts.length);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
  const sealed = [length, facts, packed.bytes].map((part) => cipher.update(part));
  const end = cipher.final();
  return Buffer.concat([MAGIC, nonce, cipher.getAuthTag(), ...sealed, end]);
}

/** @returns null when the entry was not sealed under this name with this key, or by a version with other metadata */
export async function openEntry(key: Buffer, name: string, sealed: Buffer): Promise<SharedEntry | null> {
  if (sealed.length < HEAD_BYTES + LENGTH_BYTES || !sealed.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  try {
    const nonce = sealed.subarray(MAGIC.length, MAGIC.length + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(name))
      .setAuthTag(sealed.subarray(MAGIC.length + NONCE_BYTES, HEAD_BYTES));
    const plain = Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
    const bodyAt = LENGTH_BYTES + plain.readUInt32BE(0);
    const facts = factsSchema.parse(JSON.parse(plain.toString('utf8', LENGTH_BYTES, bodyAt)));
    const { ranAtMs, generation, packing, length, ...rest } = facts;
    const bytes = await unpackBytes({ packing, bytes: plain.subarray(bodyAt) }, length);
    return { ranAtMs, generation, result: { ...rest, bytes } };
  } catch {
    return null;
  }
}
