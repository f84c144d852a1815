/**
 * One result as it lies in the shared cache: encrypted and authenticated (AES-256-GCM), so that who can read the cache reads no rows, and
 * who can write to it cannot make a server give out rows of theirs. The name it is kept under is part of what is authenticated: an entry
 * that was moved to another name is none.
 */
import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { RESULT_FORMATS } from '#contract/query';
import { REDACTION_KINDS } from '#contract/redaction';
import type { QueryResult } from '#contract/result';
import { packBytes, PACKINGS, unpackBytes } from './packed-bytes';

export interface SharedEntry {
  readonly result: QueryResult;
  /** The "now" of the run, in milliseconds since 1970 by the clock of the server that ran it. */
  readonly ranAtMs: number;
  /** In force for the saved query when the run began: a purge sets another. */
  readonly generation: string;
}

/** Magic and version, nonce, tag; then, encrypted: length of the facts (4 bytes), facts as JSON, bytes of the result, packed. */
const MAGIC = Buffer.from('LQE2');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MAGIC.length + NONCE_BYTES + TAG_BYTES;
const LENGTH_BYTES = 4;
/** What would have to become smaller than this is not even tried. */
const MAX_PACKED_RATIO = 8;

const position = z.strictObject({ line: z.int(), column: z.int() });
/** A fact that is added to `QueryResult` does not compile until it is here: an entry with one that is not is none. */
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
        code: z.enum(['empty_range', 'select_ignored', 'select_redundant']),
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
} satisfies { readonly [K in keyof Required<Omit<QueryResult, 'bytes'>>]: z.ZodType<QueryResult[K]> };

const factsSchema = z.strictObject({
  ...resultFacts,
  ranAtMs: z.number().min(0),
  generation: z.string().min(1),
  packing: z.enum(PACKINGS),
  /** Of the result, unpacked. */
  length: z.int().min(0),
});

/** @returns the key that entries are sealed with; it is for nothing else */
export function entryKey(serverKey: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', serverKey, '', 'log-query-endpoints: shared results 1', 32));
}

/** @returns null when it would have more than `maxBytes` */
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

/** @returns null when it was not sealed under this name with this key, or by a version that writes other facts */
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
