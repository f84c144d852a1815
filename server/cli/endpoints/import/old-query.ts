/** A saved query of the older service, as its management API returns it. Older versions lack some of the fields. */
import { z } from 'zod';

/** An absent field is null. */
const orNull = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? null);

export const oldQuerySchema = z.object({
  name: z.string().min(1),
  query: z.string().min(1),
  /** UUID, by which it is called too. */
  token: orNull(z.string()),
  description: orNull(z.string()),
  language: orNull(z.string()),
  cache_duration_seconds: orNull(z.number()),
  proactive_requerying_seconds: orNull(z.number()),
  sandboxable: orNull(z.boolean()),
  max_limit: orNull(z.number()),
  enable_auth: orNull(z.boolean()),
  redact_pii: orNull(z.boolean()),
  labels: orNull(z.string()),
  /** Set for a query that runs in the sandbox of another one. */
  sandbox_query_id: orNull(z.union([z.number(), z.string()])),
});

export type OldQuery = z.infer<typeof oldQuerySchema>;
