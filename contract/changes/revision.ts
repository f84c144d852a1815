/** Revisions of saved queries and sources that are managed over the API. */
import { z } from 'zod';
import { authorSchema, requestMarkSchema } from './change';
import { ENDPOINT_NAME_PATTERN, UUID_PATTERN } from '../queries/saved-query';

export const REVISION_ACTIONS = ['create', 'update', 'restore', 'delete'] as const;

/** What is known of a revision beside its text. Stored with it. */
export const revisionFactsSchema = z.strictObject({
  id: z.string().regex(UUID_PATTERN).describe('Id of the saved query or the source.'),
  revision: z.int().min(1),
  name: z.string().regex(ENDPOINT_NAME_PATTERN).describe('Its name in this revision.'),
  action: z.enum(REVISION_ACTIONS),
  by: authorSchema,
  time: z.iso.datetime(),
  message: z.string().nullable(),
  changed: z
    .array(z.string())
    .describe('Names of the fields that differ from the revision before; empty when there was none.'),
  created_at: z.iso.datetime().describe('Time of the first revision.'),
  former_names: z.array(z.string()).describe('Names that it had, newest first.'),
  requests: z
    .array(requestMarkSchema.extend({ revision: z.int().min(1).describe('Its result.') }))
    .describe('Requests of the last 24 hours that may be repeated.'),
});
export type RevisionFacts = z.infer<typeof revisionFactsSchema>;
