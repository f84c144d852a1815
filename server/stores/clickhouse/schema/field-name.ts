/**
 * Column names of fields in ClickHouse. A name depends only on the path, so that servers that meet new fields at the
 * same time give different fields different names, and the same field the same name. Names in ClickHouse are
 * case-sensitive.
 */
import { createHash } from 'node:crypto';
import type { ColumnNaming } from '../../ingest/fields/field-tree';

const PLAIN_KEY = /^[A-Za-z0-9_-]+$/;
const MAX_PLAIN_LENGTH = 200;
const DIGEST_LENGTH = 16;

export const SPELLED_NAMES: ColumnNaming = {
  fold: (name) => name,
  /** `~` marks a digest; no plain key contains it. */
  nameOf({ path, kind, isDeclared, isTaken }) {
    const plain = `metadata.${path.map((key) => key.replace(/[^A-Za-z0-9_-]/g, '_')).join('.')}`;
    const isPlain = path.every((key) => PLAIN_KEY.test(key)) && plain.length <= MAX_PLAIN_LENGTH && !isTaken(plain);
    const name = isPlain ? plain : `${plain.slice(0, MAX_PLAIN_LENGTH - DIGEST_LENGTH)}~${digestOf(path)}`;
    // The presence of a record and a value at the same path in another event are different columns.
    return kind === 'record' && !isDeclared ? `${name}~` : name;
  },
};

function digestOf(path: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(path)).digest('hex').slice(0, DIGEST_LENGTH);
}
