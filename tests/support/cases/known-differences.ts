/** Cases with another result on ClickHouse, each with its reason: see tests/corpus/differences.yaml. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { STORE_UNDER_TEST } from '../stores/current';

interface Difference {
  readonly file: string;
  readonly case: string;
  readonly reason: string;
}

const FILE = join(__dirname, '..', '..', 'corpus', 'differences.yaml');

export const differences = (parse(readFileSync(FILE, 'utf8')) ?? []) as readonly Difference[];

/** `it`, or for a case that is known to differ on this store a test that fails as soon as it no longer does. */
export function itOnStore(file: string, name: string): jest.It {
  const differs = differences.some((known) => known.file === file && known.case === name);
  return STORE_UNDER_TEST === 'clickhouse' && differs ? it.failing : it;
}
