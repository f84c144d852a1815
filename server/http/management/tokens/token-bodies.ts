/** Bodies of the requests that create, change and rotate tokens. */
import { z } from 'zod';
import { PARAMETER_NAME_PATTERN } from '#contract/queries/saved-query';
import { SCOPES, type TokenPolicy } from '#contract/tokens/token';
import { tenantSchema } from '#contract/tokens/tenant';
import {
  DEFAULT_GRACE_SECONDS,
  DEFAULT_SCOPES,
  isEndpointEntry,
  MAX_GRACE_SECONDS,
  problemOfName,
  readExpiry,
} from '../../../catalog/tokens/token-fields';
import { bodyInvalid, problemsOf } from '../body-problems';

const MAX_ENDPOINTS = 1000;
const MAX_FIXED = 100;
const MAX_VALUE_CHARACTERS = 1024;
const MAX_ROWS = 9_999_999;
const MAX_RATE = 10_000_000;

const nameSchema = z.string().superRefine((name, context) => {
  const problem = problemOfName(name);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});
const scopesSchema = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(100)
  .transform((scopes) => [...new Set(scopes)]);
const endpointSchema = z.string().refine(isEndpointEntry, 'is no id or name of a saved query');
const endpointsSchema = z.union(
  [
    z.literal('*'),
    z
      .array(endpointSchema)
      .min(1)
      .max(MAX_ENDPOINTS)
      .transform((entries) => [...new Set(entries)]),
  ],
  { error: `must be "*" or a list of 1 to ${MAX_ENDPOINTS} ids or names of saved queries` }
);
const parameterSchema = z.string().regex(PARAMETER_NAME_PATTERN);
const valueSchema = z
  .string()
  .min(1)
  .max(MAX_VALUE_CHARACTERS)
  .refine((text) => !/[\0\p{Surrogate}]/u.test(text), 'must be text without NUL and halves of surrogate pairs');
const isSmall = (fixed: object): boolean => Object.keys(fixed).length <= MAX_FIXED;
const TOO_MANY = `must have at most ${MAX_FIXED} parameters`;
const expirySchema = z.string().max(64);

const limits = {
  force_redaction: z.boolean(),
  max_rows: z.int().min(1).max(MAX_ROWS).nullable(),
  rate: z.int().min(1).max(MAX_RATE).nullable(),
  expires_at: expirySchema.nullable(),
  tenant: tenantSchema.nullable(),
};

const createSchema = z.strictObject({
  name: nameSchema,
  scopes: scopesSchema.default([...DEFAULT_SCOPES]),
  endpoints: endpointsSchema.default('*'),
  fixed_parameters: z.record(parameterSchema, valueSchema).refine(isSmall, TOO_MANY).default({}),
  force_redaction: limits.force_redaction.default(false),
  max_rows: limits.max_rows.default(null),
  rate: limits.rate.default(null),
  expires_at: limits.expires_at.default(null),
  tenant: limits.tenant.default(null),
  message: z.string().optional(),
});

/** RFC 7396; null removes a limit, or one fixed parameter. */
const patchSchema = z
  .strictObject({
    name: nameSchema,
    scopes: scopesSchema,
    endpoints: endpointsSchema,
    fixed_parameters: z.record(parameterSchema, valueSchema.nullable()).refine(isSmall, TOO_MANY).nullable(),
    ...limits,
  })
  .partial();

const rotateSchema = z.strictObject({
  grace_seconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(DEFAULT_GRACE_SECONDS),
  message: z.string().optional(),
});

const POLICY_FIELDS = Object.keys(patchSchema.shape);

export interface CreateBody {
  /** The fields as sent, with defaults: the same for a repeated request. */
  readonly requested: object;
  readonly policy: TokenPolicy;
  readonly message: string | undefined;
}

/** @throws ServiceError `body_invalid` */
export function readCreateBody(value: unknown, now: Date): CreateBody {
  const { message, ...requested } = parse(createSchema, value, [...POLICY_FIELDS, 'message'], 'The token');
  return {
    requested,
    policy: { ...requested, expires_at: checkedExpiry(requested.expires_at, now, ['expires_at']) },
    message,
  };
}

export interface RotateBody {
  readonly graceSeconds: number;
  readonly message: string | undefined;
}

/** @throws ServiceError `body_invalid` */
export function readRotateBody(value: unknown): RotateBody {
  const body = parse(rotateSchema, value, Object.keys(rotateSchema.shape), 'The rotation');
  return { graceSeconds: body.grace_seconds, message: body.message };
}

export interface PatchBody {
  readonly message: string | undefined;
  /** @throws ServiceError `body_invalid` */
  readonly apply: (old: TokenPolicy) => TokenPolicy;
}

/** @param value the patch, or `{"token": patch, "message": "..."}`. @throws ServiceError `body_invalid` */
export function readPatchBody(value: unknown, now: Date): PatchBody {
  const wrapper = wrapperSchema.safeParse(value);
  const isWrapped = typeof value === 'object' && value !== null && Object.hasOwn(value, 'token');
  if (isWrapped && !wrapper.success)
    throw bodyInvalid('The change', problemsOf(wrapper.error, Object.keys(wrapperSchema.shape)));
  const patch = parse(patchSchema, wrapper.success ? wrapper.data.token : value, POLICY_FIELDS, 'The change');
  const { fixed_parameters: fixed, expires_at: expires, ...rest } = patch;
  const expiry = expires === undefined ? {} : { expires_at: checkedExpiry(expires, now, ['expires_at']) };
  return {
    message: wrapper.data?.message,
    apply: (old) => {
      const merged = fixed === undefined ? old.fixed_parameters : mergeFixed(old.fixed_parameters, fixed);
      if (!isSmall(merged)) throw bodyInvalid('The change', [{ path: ['fixed_parameters'], reason: TOO_MANY }]);
      return { ...old, ...defined(rest), ...expiry, fixed_parameters: merged };
    },
  };
}

const wrapperSchema = z.strictObject({ token: z.record(z.string(), z.unknown()), message: z.string().optional() });

function mergeFixed(
  old: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string | null>> | null
): Record<string, string> {
  const merged = { ...(patch === null ? {} : old), ...patch };
  return Object.fromEntries(Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null));
}

/** The properties that are not undefined. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function checkedExpiry(text: string | null, now: Date, path: readonly string[]): string | null {
  if (text === null) return null;
  const read = readExpiry(text, now);
  if ('problem' in read) throw bodyInvalid('The token', [{ path, reason: read.problem }]);
  return read.at;
}

/** Fields that an answer has and a request cannot change. */
const READ_ONLY: readonly string[] = ['id', 'state', 'created_at', 'revoked_at', 'last_used_at', 'token', 'hash'];

function parse<S extends z.ZodType>(schema: S, value: unknown, known: readonly string[], what: string): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error, known).map((problem) =>
    problem.path.length === 1 && READ_ONLY.includes(String(problem.path[0]))
      ? { ...problem, reason: 'cannot be set' }
      : problem
  );
  throw bodyInvalid(what, problems);
}
