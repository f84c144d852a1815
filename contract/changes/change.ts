/** What is stored of every change of a saved query, a source or a token. */
import { z } from 'zod';

/** Author of a change: a token, or a person at the command line of the machine. */
export const authorSchema = z.union([
  z.strictObject({ token_id: z.string(), token_name: z.string() }),
  z.strictObject({ command_line: z.strictObject({ pid: z.int(), uid: z.int().nullable() }) }),
  z.strictObject({ database_user: z.string() }),
]);
export type Author = z.infer<typeof authorSchema>;

/** A request that may be repeated with the same `Idempotency-Key`. No digest reveals its input. */
export const requestMarkSchema = z.strictObject({
  key: z.string().describe('Digest of the token id and the Idempotency-Key.'),
  body: z.string().describe('Digest of what the request asked for.'),
  time: z.iso.datetime(),
});
export type RequestMark = z.infer<typeof requestMarkSchema>;

/** How long a repeated request gets the first answer. */
export const REQUEST_MARK_MS = 24 * 3_600_000;
