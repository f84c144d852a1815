/**
 * Manifest of a backup: names every file of it with its checksum. The manifest itself is replaced as the last step, so
 * a folder always holds the last complete backup.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { storedDaySchema } from '#contract/control';
import { sourcesSchema } from '#contract/events/source';
import { replacePrivateFile } from '../../../common/files/private-file';
import { issueReason } from '../../../common/issue-reason';

/** Version of the folder layout. A backup of a newer version is refused. */
const BACKUP_FORMAT = 1;

export const MANIFEST = 'manifest.json';
/** Files of a backup in progress, for its continuation. */
export const UNFINISHED = 'manifest.next.json';

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/** Names that stay inside the folder they are joined to, on every platform. */
const segment = /^(?!\.{1,2}$)[^/\\\p{Cc}]{1,200}$/u;
const relativePath = z.string().max(1000).refine(isInside, 'not a relative path');
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const stored = { path: relativePath, bytes: z.int().min(0), sha256 };

const eventFileSchema = z.strictObject({ kind: z.literal('events'), ...stored, ...storedDaySchema.shape });
const catalogFileSchema = z.strictObject({
  kind: z.literal('catalog'),
  ...stored,
  /** Where the file belongs, e.g. `endpoints/logs.all.yaml`. */
  name: relativePath,
});
/** Nested fields of all sources. */
const fieldsFileSchema = z.strictObject({ kind: z.literal('fields'), ...stored });

const fileSchema = z.discriminatedUnion('kind', [eventFileSchema, catalogFileSchema, fieldsFileSchema]);

const manifestSchema = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  program: z.string(),
  created_at: z.iso.datetime(),
  store: z.strictObject({ kind: z.enum(['duckdb', 'clickhouse']), identity: sha256 }),
  catalog: z.strictObject({
    kind: z.enum(['files', 'database']),
    /** Identifies the server key of the tokens; null: there was none. */
    key_fingerprint: sha256.nullable(),
  }),
  sources: sourcesSchema.shape.sources,
  files: z.array(fileSchema),
});

export type EventFile = z.infer<typeof eventFileSchema>;
export type CatalogFile = z.infer<typeof catalogFileSchema>;
export type BackupFile = z.infer<typeof fileSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/** True for a relative path that stays inside the folder it is joined to. */
export function isInside(path: string): boolean {
  const segments = path.split('/');
  return segments.length <= 8 && segments.every((part) => segment.test(part));
}

/** @returns null when it does not exist. @throws Error when it cannot be used */
export function readManifest(folder: string, name: string = MANIFEST): Manifest | null {
  const file = join(folder, name);
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (facts === undefined) return null;
  if (!facts.isFile()) throw new Error(`${file} is not a regular file.`);
  if (facts.size > MAX_MANIFEST_BYTES) throw new Error(`${file} is larger than ${MAX_MANIFEST_BYTES} bytes.`);
  return parseManifest(readFileSync(file, 'utf8'), file);
}

/** @param file name in errors. @throws Error */
function parseManifest(text: string, file: string): Manifest {
  const damaged = (why: string): Error => new Error(`${file} is damaged (${why}). Use another backup.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged('it is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw damaged('it is not a manifest');
  const { checksum, ...manifest } = value as Record<string, unknown>;
  if (typeof manifest.format === 'number' && manifest.format > BACKUP_FORMAT) {
    throw new Error(
      `${file} has format ${manifest.format}, but this program reads format ${BACKUP_FORMAT}. Use the program of version ${String(manifest.program)} or newer.`
    );
  }
  if (checksum !== checksumOf(manifest)) throw damaged('its checksum differs');
  const parsed = manifestSchema.safeParse(manifest);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw damaged(`${issue?.path.join('.') ?? ''}: ${issue === undefined ? 'not valid' : issueReason(issue)}`);
  }
  const paths = parsed.data.files.map(({ path }) => path);
  if (new Set(paths).size < paths.length) throw damaged('it names a file twice');
  return parsed.data;
}

/** Replaces the manifest atomically. */
export async function writeManifest(folder: string, manifest: Manifest, name: string = MANIFEST): Promise<void> {
  const text = JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 1);
  await replacePrivateFile(join(folder, name), `${text}\n`);
}

function checksumOf(manifest: object): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}
