/** Access tokens: their policy and their stored form. Neither contains the secret. */
import { z } from 'zod';
import { requestMarkSchema } from '../changes/change';
import { tenantSchema } from './tenant';

/** Permissions of a token; each route names the one it needs. */
export const SCOPES = [
  'query',
  'adhoc',
  'ingest',
  'endpoints:read',
  'endpoints:write',
  'sources:write',
  'metrics:read',
  'tokens:admin',
  'cache:bypass',
] as const;
export type Scope = (typeof SCOPES)[number];

const TOKEN_ID_PATTERN = /^[0-9A-Za-z]{8}$/;
/**
 * `lqe_<id>_<secret>_<checksum>`: secret scanners recognize the form, and the checksum rejects mistyped tokens without
 * a lookup.
 */
export const TOKEN_PATTERN = /^lqe_([0-9A-Za-z]{8})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/;

/** Policy of a token: all of its properties that the service checks, without the secret. */
const tokenPolicySchema = z.strictObject({
  name: z.string().min(1).max(100),
  scopes: z.array(z.enum(SCOPES)).min(1),
  endpoints: z
    .union([z.literal('*'), z.array(z.string().min(1).max(128)).min(1)])
    .describe('Ids or names of the saved queries the token sees; all others do not exist for it.'),
  fixed_parameters: z
    .record(z.string(), z.string())
    .describe('Parameter values the token is bound to: filled in when absent, refused when different.'),
  tenant: tenantSchema
    .nullable()
    .default(null)
    .describe(
      'Only events of this tenant exist for the token; null: those of the tenant that `fixed_parameters` imply, or all.'
    ),
  force_redaction: z.boolean(),
  max_rows: z.int().min(1).nullable().describe('A row cap below that of the saved query; null: none.'),
  rate: z
    .int()
    .min(1)
    .max(10_000_000)
    .nullable()
    .default(null)
    .describe('Requests a minute; null: the default of the service.'),
  expires_at: z.iso.datetime().nullable(),
});
export type TokenPolicy = z.infer<typeof tokenPolicySchema>;

/** Policy of a token without limits of its own: every saved query, every tenant, the service's rate, no end. */
export const UNLIMITED_POLICY: Omit<TokenPolicy, 'name' | 'scopes'> = {
  endpoints: '*',
  fixed_parameters: {},
  tenant: null,
  force_redaction: false,
  max_rows: null,
  rate: null,
  expires_at: null,
};

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** A request that issued a secret; a repeated request derives the same secret from its salt. */
const issueMarkSchema = requestMarkSchema.extend({ salt: z.string().regex(/^[\w-]{43}$/) });
export type IssueMark = z.infer<typeof issueMarkSchema>;

/** A stored token, with the HMAC-SHA-256 of the secret under the server key instead of the secret. */
export const storedTokenSchema = tokenPolicySchema.extend({
  id: z.string().regex(TOKEN_ID_PATTERN),
  hash: hashSchema,
  previous: z
    .strictObject({ hash: hashSchema, valid_until: z.iso.datetime() })
    .nullable()
    .describe('The secret before the last rotation, while its grace period lasts.'),
  created_at: z.iso.datetime(),
  revoked_at: z.iso.datetime().nullable(),
  requests: z
    .array(issueMarkSchema)
    .optional()
    .describe('Requests of the last 24 hours with an `Idempotency-Key` that issued a secret of this token.'),
});
export type StoredToken = z.infer<typeof storedTokenSchema>;

/** A token as the API and the command line show it: without hashes. */
export interface DescribedToken extends TokenPolicy {
  readonly id: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

/** Answer that issues a secret: its only appearance. */
export interface DescribedIssue extends DescribedToken {
  /** Full text of the access token. */
  readonly token: string;
}

export const tokenFileSchema = z.strictObject({ version: z.literal(1), tokens: z.array(storedTokenSchema) });
