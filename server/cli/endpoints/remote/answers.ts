/** Shapes of the server's answers that the commands rely on. Other fields are ignored. */
import { z } from 'zod';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { REVISION_ACTIONS } from '#contract/changes/revision';

const origin = z.enum(['file', 'api']);

/** Fields that newer servers may add are dropped. */
const definition = z.object(savedQuerySchema.shape);

export const listedSchema = z.object({ ...definition.omit({ query: true }).shape, origin });
export const servedSchema = z.object({ ...definition.shape, origin });

const author = z.union([
  z.object({ token_name: z.string() }).transform(({ token_name }) => token_name),
  z.object({ database_user: z.string() }).transform(({ database_user }) => `${database_user} (database)`),
  z.object({ command_line: z.unknown() }).transform(() => 'command line'),
]);

export const revisionSchema = z.object({
  id: z.string(),
  revision: z.int().min(1),
  name: z.string(),
  action: z.enum(REVISION_ACTIONS),
  by: author,
  time: z.iso.datetime(),
  message: z.string().nullable(),
  changed: z.array(z.string()),
});

export const revisionTextSchema = revisionSchema.extend({ yaml: z.string().nullable(), definition: z.unknown() });

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ result: z.array(item), next_cursor: z.string().nullable() });
}

export function resultOf<T extends z.ZodType>(result: T) {
  return z.object({ result });
}

export const changedSchema = z.object({ id: z.string(), name: z.string(), revision: z.int().min(1) });

/** A saved query without its text. */
export type ListedQuery = z.infer<typeof listedSchema>;
export type ServedQuery = z.infer<typeof servedSchema>;
export type Revision = z.infer<typeof revisionSchema>;
export type RevisionText = z.infer<typeof revisionTextSchema>;
export type ChangedRevision = z.infer<typeof changedSchema>;
