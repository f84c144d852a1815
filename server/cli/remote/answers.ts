/** Shapes of answers that several commands rely on: pages, results, revisions. Other fields are ignored. */
import { z } from 'zod';
import { REVISION_ACTIONS } from '#contract/changes/revision';

const author = z.union([
  z.object({ token_name: z.string() }).transform(({ token_name }) => token_name),
  z.object({ database_user: z.string() }).transform(({ database_user }) => `${database_user} (database)`),
  z.object({ command_line: z.unknown() }).transform(() => 'command line'),
]);

/** Of a saved query or a source, without its text. */
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

export type Revision = z.infer<typeof revisionSchema>;
export type RevisionText = z.infer<typeof revisionTextSchema>;

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ result: z.array(item), next_cursor: z.string().nullable() });
}

export function resultOf<T extends z.ZodType>(result: T) {
  return z.object({ result });
}
