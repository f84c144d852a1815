/**
 * Writes endpoints/saved-query.schema.json from the schema that checks saved queries, so that editors complete and
 * check the files.
 *
 *   npm run build && node scripts/generate/saved-query-schema.mjs
 */
import { writeFileSync } from 'node:fs';
import { savedQueryJsonSchema } from '../../build/server/catalog/definitions/json-schema.js';

writeFileSync(new URL('../../endpoints/saved-query.schema.json', import.meta.url), savedQueryJsonSchema());
