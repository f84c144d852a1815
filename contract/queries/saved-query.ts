/**
 * A saved query (endpoint definition): the shape of one YAML file in `endpoints/` and of the API's answers about it.
 */
import { z } from 'zod';
import { ENDPOINT_NAME_PATTERN, MAX_CACHE_SECONDS, MAX_SAVED_ROWS, UUID_PATTERN } from '../plugin/endpoint-name';
import { REDACTION_KINDS } from '../redaction';

export { ENDPOINT_NAME_PATTERN, UUID_PATTERN };

export const PARAMETER_NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const valueListSchema = z
  .strictObject({
    query: z.string().regex(ENDPOINT_NAME_PATTERN).describe('Name of the saved query that is called.'),
    parameters: z.record(z.string(), z.string()).default({}).describe('Its parameters.'),
    sql: z.string().min(1).max(10_000).optional().describe('A query in its sandbox instead of its own text.'),
  })
  .describe('Where editors find values to choose from: the first column of a result. Other values stay allowed.');

const NAME_RULE =
  'must begin with a letter, and have at most 128 characters: a to z, digits, dots, dashes and underscores';
const PARAMETER_NAME_RULE =
  'must begin with a letter or an underscore, and have at most 64 letters, digits and underscores';

export const parameterSchema = z
  .strictObject({
    name: z
      .string()
      .regex(PARAMETER_NAME_PATTERN, PARAMETER_NAME_RULE)
      .describe('Written `@name` in the query; sent as `name=<value>`.'),
    type: z.enum(['text', 'integer', 'number', 'boolean', 'timestamp']).default('text'),
    required: z.boolean().default(false).describe('An absent or empty value is an error.'),
    default: z.string().optional().describe('Used when the parameter is absent or empty.'),
    enum: z.array(z.string()).min(1).optional().describe('The only values allowed.'),
    pattern: z.string().max(1024).optional().describe('RE2 pattern that the whole value must match.'),
    format: z
      .enum(['regex', 'iso8601'])
      .optional()
      .describe('`regex`: the value must be a valid RE2 pattern. `iso8601`: empty, or an ISO 8601 time.'),
    values: valueListSchema.optional(),
    tenant: z
      .literal(true)
      .optional()
      .describe(
        'The value is a tenant: tokens of a tenant fill it in and cannot change it; fixing it confines a token.'
      ),
    description: z.string().optional(),
  })
  .describe('A declared parameter. Values arrive as text and are always bound.');

export const savedQuerySchema = z
  .strictObject({
    id: z.string().regex(UUID_PATTERN, 'must be a UUID').describe('Unique. Usable in the call path.'),
    name: z
      .string()
      .regex(ENDPOINT_NAME_PATTERN, NAME_RULE)
      .refine((name) => !UUID_PATTERN.test(name), 'must not look like a UUID')
      .describe('Unique. Usable in the call path.'),
    description: z.string().default(''),
    query: z.string().min(1).max(100_000).describe('GoogleSQL with parameters written `@name`.'),
    max_rows: z.int().min(1).max(MAX_SAVED_ROWS).default(1000),
    cache_seconds: z
      .int()
      .min(1)
      .max(MAX_CACHE_SECONDS)
      .nullable()
      .default(null)
      .describe('Seconds a result is cached; null: never.'),
    warm_seconds: z
      .int()
      .min(0)
      .max(86_400)
      .nullable()
      .default(null)
      .describe('Seconds between warm-up runs; 0 or null: off.'),
    sandbox: z
      .boolean()
      .default(false)
      .describe('Whether ad-hoc `sql=` and `lql=` may read the named tables of this query.'),
    default_table: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('The named table that `lql=` reads when it does not say which.'),
    redact_pii: z
      .boolean()
      .default(false)
      .describe('Whether every answer is redacted; a request may ask for it too, never for less.'),
    redact: z
      .array(z.enum(REDACTION_KINDS))
      .min(1)
      .readonly()
      .default(REDACTION_KINDS)
      .describe('What redaction hides from all callers.'),
    parameters: z.array(parameterSchema).max(50).default([]),
    timeout_ms: z.int().min(10).max(600_000).default(10_000),
    max_bytes: z.int().min(1024).max(268_435_456).default(8_388_608),
    unknown_parameters: z.enum(['ignore', 'refuse']).default('ignore'),
    revision: z.int().min(1).default(1).describe('Grows by one with each change.'),
    created_at: z.iso.datetime().optional(),
    updated_at: z.iso.datetime().optional(),
  })
  .describe('A saved query: named, parameterized, read-only, exposed as an HTTP endpoint.');

export type ValueList = z.infer<typeof valueListSchema>;
export type Parameter = z.infer<typeof parameterSchema>;
export type SavedQuery = z.infer<typeof savedQuerySchema>;
