/**
 * Checks ad-hoc text without running it. An invalid text is a successful response, so that the editor can underline the
 * error.
 */
import { z } from 'zod';
import { pluginQuerySchema } from '#contract/plugin/query';
import type { ValidateResource } from '#contract/plugin/resources';
import { readyQuery } from '../query/read-query';
import { createTimeContext } from '../query/time-context';
import { PluginError } from '../service-client/failures/plugin-error';
import type { ResourceCall } from './resource-call';

const HOUR_MS = 3_600_000;

const bodySchema = z.object({
  endpoint: z.string().min(1),
  mode: z.enum(['sql', 'lql']),
  text: z.string(),
  params: z.record(z.string(), z.string()).default({}),
  range: z.object({ from: z.number(), to: z.number() }).optional(),
  intervalMs: z.number().optional(),
});

/** Errors of the text itself. Others, such as a wrong token or an unreachable service, are failures of the call. */
const PROBLEMS_OF_TEXT: ReadonlySet<string> = new Set([
  'sql_empty',
  'sql_syntax',
  'query_invalid',
  'sandbox_violation',
  'sandbox_disabled',
  'query_too_complex',
  'parameter_invalid',
  'macro_invalid',
  'variable_unresolved',
  'query_incomplete',
]);

export async function validateText({ instance, ctx, body, now }: ResourceCall): Promise<ValidateResource> {
  const parsed = bodySchema.safeParse(body());
  if (!parsed.success)
    throw new PluginError('body_invalid', 'The body must name endpoint, mode and text.', { status: 400 });
  const { endpoint, mode, text, params, range, intervalMs } = parsed.data;
  const { from, to } = range ?? { from: now() - HOUR_MS, to: now() };
  try {
    const query = pluginQuerySchema.parse({ endpoint: { id: endpoint }, mode, [mode]: text, params });
    const { call } = readyQuery(query, {}, createTimeContext(from, to, intervalMs ?? 0, 0), false);
    return { valid: true, result: await instance.client.validate(call, ctx) };
  } catch (error) {
    if (error instanceof PluginError && PROBLEMS_OF_TEXT.has(error.code))
      return { valid: false, error: error.toResource() };
    throw error;
  }
}
