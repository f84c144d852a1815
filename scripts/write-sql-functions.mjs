/**
 * Writes contract/plugin/sql-functions.ts from the catalogue of functions, for completion in Grafana's editor.
 *
 *   npm run build && node scripts/write-sql-functions.mjs && npx prettier --write contract/plugin
 */
import { writeFileSync } from 'node:fs';
import { FUNCTION_FAMILIES } from '../build/compiler/functions/catalog.js';

const functions = FUNCTION_FAMILIES.flatMap(({ title, functions }) =>
  functions.flatMap(({ names, usage, summary }) => names.map((name) => ({ name, usage, summary, family: title })))
);
const text = `/** The functions of the SQL dialect. Written by scripts/write-sql-functions.mjs; a test holds it against the catalogue. */
import type { FunctionsResource } from './resources';

export const SQL_FUNCTIONS: FunctionsResource['functions'] = ${JSON.stringify(functions, null, 2)};
`;
writeFileSync(new URL('../contract/plugin/sql-functions.ts', import.meta.url), text);
