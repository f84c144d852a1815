import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Documented } from '../../../scripts/generate/function-reference.cjs';

export function readDocumentedFunctions(): Documented {
  return parse(readFileSync(join(__dirname, '../../../docs/sql-functions.yaml'), 'utf8')) as Documented;
}
