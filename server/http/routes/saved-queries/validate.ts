/** Checks a definition, or ad-hoc text in the sandbox of a saved query, without running it. */
import { z } from 'zod';
import { ServiceError } from '#contract/errors';
import type { ValidateResult } from '#contract/queries/description';
import type { AdhocText } from '#contract/queries/query';
import type { SavedQuery } from '#contract/queries/saved-query';
import { hasManyTokens } from '../../../catalog/definitions/yaml-file';
import { withFilePosition } from '../../../catalog/saved-queries/definition-text';
import { checkAdhocText } from '../../request/call/adhoc-text';
import { clientAbortSignal } from '../../request/client-abort';
import { ensureSeesSources } from '../../request/ensure-sees-sources';
import { ensureWellFormed } from '../../parsing/decode-text';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { definitionInvalid } from '../../management/definition-input';
import { readDraft, readDraftText } from '../../management/draft-definition';
import { readJsonBody } from '../../bodies/read-json-body';
import type { KeyedCall, KeyedHandler } from '../../router';
import { sendJson } from '../../response/send-body';
import { bindForCheck, inCheckLane, validateText } from '../../request/call/validate-text';
import { ensureStillValid } from '../../request/token/ensure-still-valid';
import { visibleEndpoint } from '../../request/visible-endpoint';
import { noteIgnored } from '../../response/ignored-parameters';

const adhocBody = {
  endpoint: z.string().describe('Id or name of the saved query whose sandbox is meant.'),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
};

const validateBodySchema = z.union([
  z.strictObject({ definition: z.unknown() }),
  z.strictObject({ yaml: z.string() }),
  z.strictObject({ ...adhocBody, sql: z.string() }),
  z.strictObject({ ...adhocBody, lql: z.string() }),
]);

export const validate: KeyedHandler = async (call) => {
  const { req, res } = call;
  negotiateFormat(req, ['json']);
  const body = parseBody(await readJsonBody(req, res, call.ctx.config.http));
  await ensureStillValid(call);
  // A definition may name any source, and errors name their fields.
  if (!('endpoint' in body)) ensureSeesSources(call, 'Definitions are checked');
  await sendJson(req, res, { result: await inCheckLane(call, clientAbortSignal(res), () => checked(call, body)) });
};

async function checked(call: KeyedCall, body: z.infer<typeof validateBodySchema>): Promise<ValidateResult> {
  if ('definition' in body) return compile(call, readDraft(body.definition));
  return 'yaml' in body ? validateYaml(call, body.yaml) : validateAdhoc(call, body);
}

/** Checks come while a person types: the parser, which is in this process, takes at most 10 ms for that many. */
const MAX_CHECKED_TOKENS = 2000;

/** Problems have their position in the text; those of the compiler have that in the query, too. */
async function validateYaml(call: KeyedCall, yaml: string): Promise<ValidateResult> {
  if (hasManyTokens(yaml, MAX_CHECKED_TOKENS)) {
    const reason = `it has more than ${MAX_CHECKED_TOKENS} words and signs, too many for a check; it can be saved without`;
    throw definitionInvalid([{ path: [], reason }]);
  }
  const loaded = readDraftText(yaml);
  return compile(call, loaded.definition).catch((error: unknown) => {
    throw withFilePosition(error, loaded);
  });
}

function compile(
  { ctx, principal, tenant }: Pick<KeyedCall, 'ctx' | 'principal' | 'tenant'>,
  definition: SavedQuery
): Promise<ValidateResult> {
  const request = { kind: 'definition', definition, tenant, redact: principal.policy.force_redaction } as const;
  return ctx.engine.call('validate', request, { owner: principal.tokenId });
}

async function validateAdhoc(
  call: KeyedCall,
  body: Extract<z.infer<typeof validateBodySchema>, { readonly endpoint: string }>
): Promise<ValidateResult> {
  const { ctx, principal } = call;
  const definition = visibleEndpoint(ctx, principal, body.endpoint);
  const given: AdhocText = 'sql' in body ? { language: 'sql', text: body.sql } : { language: 'lql', text: body.lql };
  ensureWellFormed(given.text, 'The query');
  const adhoc = checkAdhocText(given, definition, ctx.config.http);
  const entries = Object.entries(body.parameters).map(
    ([name, value]) => [name, ensureWellFormed(String(value), 'A parameter')] as const
  );
  const { values, ignored } = bindForCheck(call, definition, entries);
  noteIgnored(call.res, ignored);
  return validateText(call, definition, { adhoc, values });
}

function parseBody(value: unknown): z.infer<typeof validateBodySchema> {
  const parsed = validateBodySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ServiceError(
    'body_invalid',
    'The body must be {"definition": {...}}, {"yaml": "..."}, or {"endpoint": "...", "sql": "...", "parameters": {...}} with "sql" or "lql".'
  );
}
