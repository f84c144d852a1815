/**
 * Names of fields in ClickHouse: made of the spelling of a path alone, so that servers that meet new fields in the same moment give two
 * fields two names and one field one, whatever each of them knows. ClickHouse tells letter cases apart.
 */
import { createHash } from 'node:crypto';
import type { ColumnNaming } from '../ingest/field-tree';

const PLAIN_KEY = /^[A-Za-z0-9_-]+$/;
const MAX_PLAIN_LENGTH = 200;
const DIGEST_LENGTH = 16;

export const SPELLED_NAMES: ColumnNaming = {
  fold: (name) => name,
  /** `~` is in no plain key. */
  nameOf({ path, kind, isDeclared, isTaken }) {
    const plain = `metadata.${path.map((key) => key.replace(/[^A-Za-z0-9_-]/g, '_')).join('.')}`;
    const isPlain = path.every((key) => PLAIN_KEY.test(key)) && plain.length <= MAX_PLAIN_LENGTH && !isTaken(plain);
    const name = isPlain ? plain : `${plain.slice(0, MAX_PLAIN_LENGTH - DIGEST_LENGTH)}~${digestOf(path)}`;
    // That a record is there is another fact than a value that another event has in its place.
    return kind === 'record' && !isDeclared ? `${name}~` : name;
  },
};

function digestOf(path: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(path)).digest('hex').slice(0, DIGEST_LENGTH);
}
