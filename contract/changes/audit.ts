/**
 * The audit trail: one entry for each change of a saved query, a source or a token, and for each purge of cached
 * results.
 */
import { z } from 'zod';
import { authorSchema } from './change';

export const AUDIT_ACTIONS = [
  'saved_query.create',
  'saved_query.update',
  'saved_query.restore',
  'saved_query.delete',
  'saved_query.purge',
  'source.create',
  'source.update',
  'source.restore',
  'source.delete',
  'token.create',
  'token.change',
  'token.rotate',
  'token.revoke',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const auditEntrySchema = z.strictObject({
  time: z.iso.datetime(),
  action: z.enum(AUDIT_ACTIONS),
  by: authorSchema,
  object: z.strictObject({ id: z.string(), name: z.string() }).describe('The saved query, the source or the token.'),
  revision: z.int().nullable().describe('Revision of the saved query or the source after the change.'),
  message: z.string().nullable().describe('Note of the author.'),
  request_id: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable().describe('Never a secret, a hash or a query text.'),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
