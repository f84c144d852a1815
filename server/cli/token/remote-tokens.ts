/** Tokens of a running server, over HTTP. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { SCOPES } from '#contract/tokens/token';
import { chooseToken } from '../../catalog/tokens/choose-token';
import { type ManagementAnswer, type ManagementClient, ManagementError } from '../remote/management-client';
import type { TokenBackend } from './token-backend';

/** Unknown fields of a newer server are dropped. */
const describedSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  scopes: z.array(z.enum(SCOPES)),
  endpoints: z.union([z.literal('*'), z.array(z.string())]),
  fixed_parameters: z.record(z.string(), z.string()),
  tenant: z.string().nullable(),
  force_redaction: z.boolean(),
  max_rows: z.int().nullable(),
  rate: z.int().nullable(),
  expires_at: z.string().nullable(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
});
const oneSchema = z.object({ result: describedSchema });
const issueSchema = z.object({ result: z.object({ token: z.string(), ...describedSchema.shape }) });
const pageSchema = z.object({ result: z.array(describedSchema), next_cursor: z.string().nullable() });

const TOKENS = ['api', 'tokens'];
const PAGE_SIZE = '100';

export function openRemoteTokens(client: ManagementClient): TokenBackend {
  const list = async (): Promise<z.infer<typeof describedSchema>[]> => {
    const tokens: z.infer<typeof describedSchema>[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: Record<string, string> = { limit: PAGE_SIZE, ...(cursor === '' ? {} : { cursor }) };
      const page: z.infer<typeof pageSchema> = read(
        pageSchema,
        await client.send({ method: 'GET', path: TOKENS, query })
      );
      tokens.push(...page.result);
      cursor = page.next_cursor;
    }
    return tokens;
  };
  const idOf = async (idOrName: string): Promise<string> => chooseToken(await list(), idOrName).id;

  return {
    create: async (policy, message) => {
      const body = { ...policy, ...noteOf(message) };
      const answer = await client.send({ method: 'POST', path: TOKENS, body, headers: onceOnly() });
      const issue = read(issueSchema, answer).result;
      return { issue, tenant: issue.tenant };
    },
    list,
    change: async (idOrName, patch, message) => {
      const path = [...TOKENS, await idOf(idOrName)];
      const { fixed_parameters: fixed, ...rest } = patch;
      // In a merge patch null removes the others.
      const old = fixed && read(oneSchema, await client.send({ method: 'GET', path })).result.fixed_parameters;
      const removed = Object.fromEntries(Object.keys(old ?? {}).map((name) => [name, null]));
      const token = { ...rest, ...(fixed ? { fixed_parameters: { ...removed, ...fixed } } : {}) };
      return read(oneSchema, await client.send({ method: 'PATCH', path, body: { token, ...noteOf(message) } })).result;
    },
    rotate: async (idOrName, graceSeconds, message) => {
      const path = [...TOKENS, await idOf(idOrName), 'rotate'];
      const body = { grace_seconds: graceSeconds, ...noteOf(message) };
      return read(issueSchema, await client.send({ method: 'POST', path, body, headers: onceOnly() })).result;
    },
    revoke: async (idOrName, message) => {
      const path = [...TOKENS, await idOf(idOrName)];
      const { body } = await client.send({ method: 'GET', path });
      const headers: Record<string, string> = message === null ? {} : { 'SVC-ENDPOINT-CHANGE-NOTE': inUtf8(message) };
      await client.send({ method: 'DELETE', path, headers });
      // A token that revokes itself cannot read the result.
      const token = oneSchema.parse(body).result;
      return { ...token, state: 'revoked', revoked_at: new Date().toISOString() };
    },
    close: async () => undefined,
  };
}

/** Lets the client repeat a request whose answer is lost. */
function onceOnly(): Record<string, string> {
  return { 'Idempotency-Key': randomUUID() };
}

function noteOf(message: string | null): { readonly message?: string } {
  return message === null ? {} : { message };
}

/** Header values are bytes, one for each character. */
function inUtf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function read<S extends z.ZodType>(schema: S, { body }: ManagementAnswer): z.infer<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ManagementError('The server gave an answer that this version of lqe does not know. Check the URL.');
}
