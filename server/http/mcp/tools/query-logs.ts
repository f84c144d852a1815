/** Runs a text of the agent's own in the sandbox of a saved query. */
import { z } from 'zod';
import { ensureScope } from '../../../catalog/tokens/principal';
import { checkAdhocText } from '../../request/call/adhoc-text';
import { visibleEndpoint } from '../../request/visible-endpoint';
import { type Arguments, maxRowsShape, parameterEntries, parametersShape, readArguments, readText } from '../arguments';
import type { ToolAnswer, ToolCall } from '../tool-call';
import { runCall } from './run-call';

export const textShape = {
  endpoint: z.string(),
  sql: z.string().optional(),
  lql: z.string().optional(),
  parameters: parametersShape,
};

export async function queryLogs(call: ToolCall, given: Arguments): Promise<ToolAnswer> {
  const { ctx, principal } = call;
  ensureScope(principal, 'adhoc');
  const {
    endpoint,
    parameters,
    max_rows: maxRows,
    ...text
  } = readArguments({ ...textShape, max_rows: maxRowsShape }, given);
  const definition = visibleEndpoint(ctx, principal, endpoint);
  const adhoc = checkAdhocText(readText(text), definition, ctx.config.http);
  return runCall(call, { definition, adhoc, entries: parameterEntries(parameters), maxRows });
}
