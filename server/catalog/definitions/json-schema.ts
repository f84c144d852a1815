/** JSON Schema with which editors complete and check the YAML file of a saved query. */
import { z } from 'zod';
import { savedQuerySchema } from '#contract/queries/saved-query';

export function savedQueryJsonSchema(): string {
  const schema = z.toJSONSchema(savedQuerySchema, { io: 'input', target: 'draft-7' });
  return `${JSON.stringify({ title: 'Saved query', ...schema }, null, 2)}\n`;
}
