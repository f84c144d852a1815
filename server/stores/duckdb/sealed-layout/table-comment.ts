/** What queries need of the layout of a sealed part, kept as the comment of its table. */
import { z } from 'zod';
import type { Part } from '../tables/part';

type Described = Pick<Part, 'inColumns' | 'message'>;

/** `held` is the name of `inColumns` in stored files. */
const commentSchema = z.object({
  held: z.array(z.array(z.string())).nullable().default(null),
  message: z
    .array(z.union([z.string(), z.strictObject({ column: z.string() })]))
    .nullable()
    .default(null),
});

export function printComment({ inColumns, message }: Described): string {
  return JSON.stringify({
    ...(inColumns !== null && { held: inColumns }),
    ...(message !== null && { message }),
  });
}

/** Nothing is known of a table without such a comment: its texts are read whole. */
export function parseComment(comment: string | null): Described {
  const unknown = { inColumns: null, message: null };
  if (comment === null) return unknown;
  try {
    const { held, message } = commentSchema.parse(JSON.parse(comment));
    return { inColumns: held, message };
  } catch {
    return unknown;
  }
}
