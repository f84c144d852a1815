/**
 * Writes what is made from the function registry: contract/plugin/sql-functions.ts, for completion in Grafana's
 * editor, and, with docs/sql-functions.yaml, the reference of functions in docs/sql.md.
 *
 *   npm run build && node scripts/generate/sql-functions.mjs && npx prettier --write contract/plugin docs/sql.md
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { FUNCTION_FAMILIES } from '../../build/compiler/functions/catalog.js';
import { functionReference } from './function-reference.cjs';

const functions = FUNCTION_FAMILIES.flatMap(({ title, functions }) =>
  functions.flatMap(({ names, usage, summary }) => names.map((name) => ({ name, usage, summary, family: title })))
);
const text = `/** The functions of the SQL dialect, as scripts/generate/sql-functions.mjs writes them; a test compares the two. */
import type { FunctionsResource } from './resources';

export const SQL_FUNCTIONS: FunctionsResource['functions'] = ${JSON.stringify(functions, null, 2)};
`;
writeFileSync(new URL('../../contract/plugin/sql-functions.ts', import.meta.url), text);

const page = new URL('../../docs/sql.md', import.meta.url);
const [before = '', rest = ''] = readFileSync(page, 'utf8').split('<!-- functions -->');
const [, after = ''] = rest.split('<!-- /functions -->');
const documented = parse(readFileSync(new URL('../../docs/sql-functions.yaml', import.meta.url), 'utf8'));
const reference = functionReference(FUNCTION_FAMILIES, documented);
writeFileSync(page, `${before}<!-- functions -->\n${reference}\n<!-- /functions -->${after}`);
